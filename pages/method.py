"""Method: equations, symbols, sources and limits, from the project's own file."""

import streamlit as st

from pages.ui import controls, method_text

controls.scenario()

st.title("How are these numbers made?")
contents, glossary = st.tabs(["Method", "Glossary"])
with contents, st.container(key="method_text"):
    st.html(method_text.STYLE)
    st.markdown(method_text.method())
with glossary:
    st.table(method_text.glossary_table(), hide_index=True, border="horizontal")
