"""A camera that is pulled out, hangs, freezes or goes black: noticed within two seconds, told once, back by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.fake_cameras import WIDTH, CameraFault, FakeCameras, taken_at
from assistant.fake_time import FakeTime
from vision.camera import Frame, Image
from vision.errors import CameraBusy, NoSuchCamera
from vision.events import CameraBack, CameraLost
from vision.live_camera import LiveCamera
from vision.sight import Sight
from vision.webcams import OpenCV, Webcam, choose


@dataclass
class Watched:
    """What a camera gave in so many seconds."""

    frames: list[Frame] = field(default_factory=list)
    news: list[CameraLost | CameraBack] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)

    @property
    def reasons(self) -> list[str]:
        return [n.reason if isinstance(n, CameraLost) else "back" for n in self.news]


def watch(world: FakeCameras, camera: LiveCamera, seconds: float, work: float = 0.0) -> Watched:
    """Take pictures for so long; each costs ``work`` seconds."""
    seen, time = Watched(), world.time

    def tell(news: CameraLost | CameraBack) -> None:
        seen.news.append(news)
        seen.told.append(time.now())

    camera.tell(tell)

    def stop() -> None:
        time.sleep(seconds - time.now())
        camera.close()

    time.start(stop, "stop")
    for frame in camera:
        seen.frames.append(frame)
        seen.ages.append(time.now() - taken_at(frame.image))
        time.sleep(work)
    return seen


def cameras(*faults: CameraFault, **more: Any) -> FakeCameras:
    return FakeCameras(FakeTime(), faults=faults, **more)


def run(*faults: CameraFault, seconds: float = 30.0, **more: Any) -> tuple[Watched, FakeCameras]:
    world = cameras(*faults, **more)
    return watch(world, world.camera(), seconds), world


def test_a_good_camera_is_never_lost() -> None:
    seen, world = run(seconds=60.0)
    assert seen.news == []
    assert len(seen.frames) == pytest.approx(593, abs=5)
    assert len(world.opened) == 1
    assert [f.index for f in seen.frames] == list(range(len(seen.frames)))


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("unplugged", "gone"),
        ("blocked", "blocked"),
        ("frozen", "frozen"),
        ("repeated", "frozen"),
        ("dark", "dark"),
        ("broken", "gone"),
    ],
)
def test_what_is_wrong_is_noticed_within_two_seconds_told_once_and_mends_itself(what: Any, reason: str) -> None:
    seen, world = run(CameraFault(what, 10.0, 20.0))
    assert seen.reasons == [reason, "back"]
    assert 1.0 < seen.told[0] - 10.0 <= 2.0
    assert seen.told[1] - 20.0 <= 6.0  # the next attempt to open it, at the latest
    began = [taken_at(frame.image) for frame in seen.frames]
    assert not any(11.5 < t < 20.0 for t in began)  # nothing that cannot be read is handed on
    assert began[-1] > 29.0
    assert world.reads < 600  # it does not spin


def test_a_camera_that_is_lost_costs_nothing() -> None:
    seen, world = run(CameraFault("unplugged", 10.0), seconds=310.0)
    assert seen.reasons == ["gone"]
    assert len(world.opened) == 1  # it is not in the list: nothing to open
    hanging = run(CameraFault("blocked", 10.0), seconds=910.0)[1]
    assert len(hanging.opened) <= 30  # each attempt may leave a thread behind in the driver


def test_a_loose_contact_is_not_worth_a_word() -> None:
    seen, _ = run(CameraFault("unplugged", 10.0, 10.3))
    assert seen.news == []


@pytest.mark.parametrize("first", range(3))
def test_every_fault_after_every_other(first: int) -> None:
    kinds = ["unplugged", "blocked", "frozen", "dark", "broken"]
    faults = [CameraFault(kinds[(first + 2 * n) % 5], 20 + 30 * n, 30 + 30 * n) for n in range(5)]  # type: ignore[arg-type]
    seen, _ = run(*faults, seconds=180.0)
    assert [r == "back" for r in seen.reasons] == [False, True] * 5


def test_pulled_out_again_and_again() -> None:
    seen, _ = run(*(CameraFault("unplugged", 20 * n, 20 * n + 4) for n in range(1, 31)), seconds=620.0, rate=5.0)
    assert seen.reasons == ["gone", "back"] * 30
    assert all(told - (20 * (n // 2 + 1) + 4 * (n % 2)) <= 6 for n, told in enumerate(seen.told))


def test_a_hanging_read_does_not_hang_the_end() -> None:
    world = cameras(CameraFault("blocked", 3.0))
    watch(world, world.camera(), 4.0)
    assert world.time.now() <= 5.2


def test_a_still_table_before_a_camera_without_noise_is_not_frozen() -> None:
    seen, _ = run(seconds=60.0, noise=0.0)
    assert seen.news == []


def test_an_encoder_that_repeats_what_does_not_move_is_not_frozen() -> None:
    def view(t: float) -> Image:
        image = np.full((72, 128, 3), 90, np.uint8)
        if t < 20 or 30 < t < 35:  # hands move over a part of it
            image[:, : WIDTH // 3] = np.random.default_rng(round(t * 10)).integers(0, 255, (72, WIDTH // 3, 3))
        return image

    seen, _ = run(seconds=60.0, noise=0.0, view=view)
    assert seen.news == []


def test_a_dim_cafe_is_not_black() -> None:
    dim = np.full((72, 128, 3), 25, np.uint8)
    dim[30:40, 50:70] = 60  # a card in the light of a candle
    assert run(seconds=20.0, view=lambda t: dim)[0].news == []


def test_the_noise_of_a_frozen_camera_stays_known_when_it_is_opened_anew() -> None:
    seen, world = run(CameraFault("frozen", 10.0, 100.0), seconds=110.0)
    assert seen.reasons == ["frozen", "back"]
    assert seen.told[1] >= 100.0
    assert 3 <= len(world.opened) <= 7  # it is tried, seldom


# -- age ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stamped", [False, True])
def test_after_a_pause_of_two_seconds_old_pictures_are_thrown_away(stamped: bool) -> None:
    seen, _ = run(CameraFault("starved", 10.0, 12.0), seconds=20.0, stamped=stamped)
    assert max(seen.ages) <= 0.2
    assert not any(10.3 < taken_at(frame.image) < 12.0 for frame in seen.frames)


def test_who_looks_slowly_gets_the_newest_picture_and_the_rest_is_counted() -> None:
    world = cameras()
    camera = world.camera()
    seen = watch(world, camera, 30.0, work=0.75)
    assert seen.news == []  # a slow eye is no lost camera
    assert max(seen.ages) <= 0.2
    assert camera.dropped == pytest.approx(260, abs=15)


def test_the_time_of_a_picture_is_when_it_was_taken() -> None:
    seen, _ = run(seconds=10.0, stamped=True)
    assert [f.t for f in seen.frames] == pytest.approx([taken_at(f.image) for f in seen.frames], abs=1e-6)


# -- the beginning -----------------------------------------------------------------------------------------------


def test_a_camera_that_was_asked_for_and_is_not_there_is_the_answer_no() -> None:
    world = cameras(CameraFault("unplugged", 0.0))
    with pytest.raises(NoSuchCamera, match="7"):
        world.camera("7")
    assert world.time.now() < 1.0


def test_a_camera_that_another_program_has_is_one_clear_line() -> None:
    with pytest.raises(CameraBusy, match="skype"):
        cameras(CameraFault("busy", 0.0)).camera()


def test_a_slow_opening_is_shown_and_another_way_is_tried() -> None:
    world = cameras(CameraFault("slow", 0.0, 12.0))
    shown: list[float] = []
    world.camera(progress=shown.append)
    assert [round(s) for s in shown] == [1, 6, 11]
    assert len(world.opened) == 2


def test_an_opening_that_never_ends_times_out() -> None:
    world = cameras(CameraFault("slow", 0.0, 1e6))
    with pytest.raises(NoSuchCamera, match="ne s'ouvre pas"):
        world.camera()
    assert world.time.now() <= 46.0


def test_a_camera_that_nobody_asked_for_comes_in_by_itself() -> None:
    world = cameras(CameraFault("unplugged", 0.0, 60.0))
    seen = watch(world, world.camera(patient=True), 70.0)
    assert seen.reasons == ["gone", "back"]
    assert seen.told[0] < 1.0
    assert 60.0 <= seen.told[1] <= 67.0


# -- names -------------------------------------------------------------------------------------------------------

TWO = [Webcam(0, "Laptop", "/dev/v4l/by-id/laptop"), Webcam(2, "HD Pro C920", "/dev/v4l/by-id/c920")]


def test_a_camera_is_known_by_its_name_when_the_numbers_change() -> None:
    faults = [CameraFault("unplugged", 5.0, 8.0, "HD Pro C920"), CameraFault("renumbered", 5.0)]
    world = FakeCameras(FakeTime(), TWO, faults=faults)
    camera = world.camera("2")
    watch(world, camera, 20.0)
    assert camera.name == "HD Pro C920"
    assert {source for _, source in world.opened} == {"/dev/v4l/by-id/c920"}


def test_another_camera_is_not_taken_in_its_place() -> None:
    world = FakeCameras(FakeTime(), TWO, faults=[CameraFault("unplugged", 5.0, device="HD Pro C920")])
    seen = watch(world, world.camera("c920"), 60.0)
    assert seen.reasons == ["gone"]
    assert len(world.opened) == 1


def test_without_names_that_stay_the_number_serves() -> None:
    world = FakeCameras(FakeTime(), [Webcam(0, "cam")], faults=[CameraFault("unplugged", 5.0, 8.0)])
    assert watch(world, world.camera("0"), 20.0).reasons == ["gone", "back"]


@pytest.mark.parametrize(
    ("wanted", "name"), [("", "Laptop"), ("2", "HD Pro C920"), ("c920", "HD Pro C920"), ("/dev/video2", "HD Pro C920")]
)
def test_a_camera_is_chosen_by_number_name_or_path(wanted: str, name: str) -> None:
    assert choose(TWO, wanted).name == name


def machine(root: Path, nodes: Iterable[tuple[int, str, int]]) -> None:
    """What Linux shows of its cameras."""
    (root / "dev/v4l/by-id").mkdir(parents=True)
    for index, name, part in nodes:
        folder = root / f"sys/class/video4linux/video{index}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(name + "\n")
        (folder / "index").write_text(f"{part}\n")
        (root / f"dev/video{index}").touch()


def test_linux_cameras_are_listed_with_the_names_that_stay(tmp_path: Path) -> None:
    machine(tmp_path, [(0, "Laptop", 0), (2, "HD Pro C920", 0), (3, "HD Pro C920", 1)])
    stable = tmp_path / "dev/v4l/by-id/usb-046d_C920-video-index0"
    stable.symlink_to("../../video2")
    assert OpenCV(tmp_path).cameras() == [Webcam(0, "Laptop", ""), Webcam(2, "HD Pro C920", str(stable))]
    assert OpenCV(tmp_path / "elsewhere").cameras() == []


def test_the_program_that_has_a_camera_is_named(tmp_path: Path) -> None:
    machine(tmp_path, [(95, "Cam", 0)])
    fds = tmp_path / "proc/123/fd"
    fds.mkdir(parents=True)
    (fds / "4").symlink_to(tmp_path / "dev/video95")
    (tmp_path / "proc/123/comm").write_text("skype\n")
    with pytest.raises(CameraBusy, match="skype"):
        OpenCV(tmp_path).open(95, 0)
    with pytest.raises(NoSuchCamera, match="96"):
        OpenCV(tmp_path).open(96, 0)


# -- the judgement itself ----------------------------------------------------------------------------------------


def test_the_noise_is_looked_for_in_the_middle_of_the_picture() -> None:
    """A hand that moves in one corner is no noise of the sensor."""
    random = np.random.default_rng(3)
    sight = Sight()
    for n in range(60):
        image = np.full((720, 1280, 3), 100, np.uint8)
        image[:300, :500] = random.integers(0, 255, (300, 500, 3))
        assert sight.judge(image, n / 4) is None
    for n in range(60, 80):
        assert sight.judge(np.full((720, 1280, 3), 100, np.uint8), n / 4) is None
