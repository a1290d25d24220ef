"""``trut config``: the settings file, where it is, what it says and what it may say."""

from __future__ import annotations

import argparse
import json

from assistant import settings
from assistant.i18n import N_, _
from engine.errors import TrutError


class ConfigError(TrutError):
    """The command was asked for something it cannot do."""

    code = "config"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("get", "set", "unset"), help=_("lire, changer, ôter un réglage"))
    parser.add_argument("key", nargs="?", metavar=_("CLÉ"), help=_("par exemple players.1 ou rules.trut.fortial"))
    parser.add_argument("value", nargs="*", metavar=_("VALEUR"), help=_("pour set"))
    parser.add_argument("--json", action="store_true", help=_("un objet JSON"))


def run(args: argparse.Namespace) -> int:
    """Show or change the settings; 1 where ``get`` finds no value."""
    if args.action is None:
        return _show(args.json)
    if args.key is None or bool(args.value) != (args.action == "set"):
        raise ConfigError(N_("il faut : trut config get CLÉ, trut config set CLÉ VALEUR, ou trut config unset CLÉ"))
    if args.action == "get":
        return _get(args.key, args.json)
    settings.change(args.key, " ".join(args.value) if args.action == "set" else None)
    return 0


def _get(key: str, as_json: bool) -> int:
    if key not in settings.KEYS:
        settings.checked(key, "")
    value = settings.load().values.get(key)
    if as_json:
        print(json.dumps({key: value}, ensure_ascii=False))
    elif value is not None:
        print(value)
    return 1 if value is None else 0


def _show(as_json: bool) -> int:
    """The file, and every setting: its value, else what it may be; of the house rules only those that are set."""
    found = settings.load()
    if as_json:
        print(json.dumps({"file": str(found.path), "settings": dict(found.values)}, ensure_ascii=False))
        return 0
    state = "" if found.path.exists() else _(" (pas encore écrit)")
    print(_("réglages : {path}").format(path=found.path) + state)
    for key, kind in settings.KEYS.items():
        value = found.values.get(key)
        if value is not None:
            print(f"  {key} = {value}")
        elif not key.startswith("rules."):
            allowed = f" ({kind.allowed})" if kind.allowed else ""
            print(f"  {key:20s} : {_(kind.about)}{allowed}")
    print("  " + _("règles maison : rules.JEU.OPTION, voir trut rules JEU"))
    return 0
