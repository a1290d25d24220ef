"""No test reads or writes what belongs to whoever runs it: settings, games, decks and profiles are in a folder of
the test's own. And none fails because the machine is busy: examples of properties have no deadline."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("trut", deadline=None)
settings.load_profile("trut")


@pytest.fixture(autouse=True)
def _a_home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.getbasetemp() / "home"
    monkeypatch.setenv("TRUT_SETTINGS", str(Path(tmp_path_factory.mktemp("settings")) / "settings.toml"))
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(variable, str(home))
