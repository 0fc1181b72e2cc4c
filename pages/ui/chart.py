"""The one door for figures that need no live drag: theme, height, ranges, text, PNG and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from pages.ui.packing import PanelFigure
from pages.ui.theme import resolve

_BUTTONS = [["toImage"]]


def scheme() -> str:
    """Return "dark" or "light", as the browser shows the app now."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show(
    figure: PanelFigure, *, height: int = 380, picked: Callable[[object], None] | None = None
) -> None:
    """Draw one figure with its title, text equivalent, PNG button and CSV file.

    Parameters
    ----------
    figure : PanelFigure
        Spec with colour pairs; its `csv` columns hold arrays of equal length.
    height : int
        Height [px].
    picked : callable, optional
        Called with the custom data of a point that is clicked; without it clicks do nothing.
    """
    spec = resolve(dict(figure.spec), scheme())
    if figure.title:
        st.markdown(f"**{figure.title}**")
    key = f"chart-{figure.id}"
    layout = spec["layout"] | {"height": height}
    if picked is not None:
        layout["clickmode"] = "event+select"
    st.plotly_chart(
        {"data": spec["data"], "layout": layout},
        key=key,
        on_select="ignore" if picked is None else lambda: _pick(key, picked),
        selection_mode="points",
        theme=None,
        alt=figure.alt,
        height=height,
        config={
            "displayModeBar": True,
            "displaylogo": False,
            "scrollZoom": False,
            "modeBarButtons": _BUTTONS,
            "toImageButtonOptions": {"filename": figure.file_name or figure.id, "scale": 2},
        },
    )
    st.download_button(
        "CSV",
        data=lambda: table_text([c.header for c in figure.csv], [c.values for c in figure.csv]),
        file_name=f"{figure.file_name or figure.id}.csv",
        mime="text/csv",
        key=f"csv-{figure.id}",
        on_click="ignore",
        help="These values as a table.",
    )


def _pick(key: str, picked: Callable[[object], None]) -> None:
    """Hand on what the clicked point stands for; a click beside the points changes nothing."""
    points = st.session_state[key].selection.points
    if points and points[0].get("customdata") is not None:
        data = points[0]["customdata"]
        picked(data[0] if isinstance(data, list | tuple) else data)


def table_text(headers: Sequence[str], columns: Sequence[object]) -> str:
    """Write columns of equal length as CSV with six significant figures."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headers)
    for row in zip(*(np.ravel(np.asarray(c)).tolist() for c in columns), strict=True):
        writer.writerow([f"{v:.6g}" if isinstance(v, float) else v for v in row])
    return out.getvalue()
