"""Calibration in the page: the table, its deck, its knocks, its players' voices; while the table plays."""

from assistant.page.calibrating.desk import Desk

__all__ = ["Desk"]
