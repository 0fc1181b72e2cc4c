"""The hall: one menu over the pages, and the scenario controls that they share."""

import sys
from pathlib import Path

import streamlit as st

from pages.ui import controls

# Drawn here, so that no page fetches an icon from elsewhere: N bars, the last one short of N.
ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<rect width='16' height='16' rx='3' fill='#0b57d0'/>"
    "<path d='M3 13V10h2v3zM7 13V7h2v6zM11 13V5h2v8z' fill='#fff'/></svg>"
)
PAGES = {
    "explore": "Explore",
    "ask": "Ask",
    "step": "One step",
    "allreduce": "All-reduce",
    "diagnose": "Diagnose",
    "plan": "Plan",
    "evidence": "Evidence",
    "method": "Method",
}
START = "explore"
FOLDER = Path(__file__).parent / "pages"

# A run takes about 12 ms. Threads that take turns every 5 ms make all visitors wait for all runs;
# run to their end, each visitor waits for those before.
sys.setswitchinterval(0.03)

st.set_page_config(
    page_title="N-fold", page_icon=ICON, layout="wide", initial_sidebar_state="collapsed"
)
pages = [
    st.Page(FOLDER / f"{name}.py", title=title, url_path=name, default=name == START)
    for name, title in PAGES.items()
    if (FOLDER / f"{name}.py").exists()
]
page = st.navigation(pages, position="top")
controls.draw(in_full=page.title == PAGES[START])
page.run()
