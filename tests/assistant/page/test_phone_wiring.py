"""``--camera phone`` and ``--mic phone``."""

from __future__ import annotations

import pytest

from assistant.defaults import camera_number, is_file, microphone_number
from assistant.page.phone import Phone
from assistant.wiring import BadMedia, open_media, phone_for


def test_a_phone_is_camera_and_microphone() -> None:
    phone = phone_for("phone", "phone")
    assert phone is not None
    media = open_media("phone", "phone", phone)
    assert media.live
    assert (media.camera, media.sound) == (phone.camera, phone.microphone)
    phone.close()


def test_a_phone_may_be_the_camera_alone() -> None:
    phone = phone_for("phone", "off")
    assert phone is not None
    assert phone.wanted == {"camera"}
    media = open_media("phone", "off", phone)
    assert media.camera is phone.camera
    assert media.sound is None
    phone.close()


def test_a_phone_may_be_the_microphone_alone() -> None:
    phone = phone_for("off", "phone")
    assert phone is not None
    assert phone.wanted == {"microphone"}
    assert open_media("off", "phone", phone).sound is phone.microphone
    phone.close()


def test_no_phone_is_wanted_where_none_is_asked_for() -> None:
    assert phone_for(None, "0") is None


def test_without_the_page_no_phone_can_come() -> None:
    with pytest.raises(BadMedia, match="--web"):
        open_media("phone", None)


def test_a_phone_and_a_file_do_not_go_together(tmp_path: object) -> None:
    phone = Phone(camera=True, microphone=False)
    with pytest.raises(BadMedia):
        open_media("phone", "sound.wav", phone)
    phone.close()


def test_phone_is_no_file_and_no_name_of_a_device() -> None:
    assert not is_file("phone")
    assert (camera_number("phone"), microphone_number("phone")) == ("phone", "phone")
