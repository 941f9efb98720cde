"""Houses and what is around them, as flat drawings: SVG without its frame, for `stay-pictures`."""

from __future__ import annotations

from typing import NamedTuple

WIDTH, HEIGHT = 960, 640


class Light(NamedTuple):
    """The colours of a time of day: the sky from top to bottom, the sun, what is far and near, the
    ground, and what shines from windows."""

    top: str
    low: str
    sun: str
    far: str
    near: str
    ground: str
    glass: str


DAY = Light("#8ecae6", "#e6f4f1", "#fff4cf", "#a9c7b4", "#7fa88c", "#93b77f", "#d8eef5")
DUSK = Light("#5a4a7f", "#f6a96c", "#ffe3b0", "#7b5c86", "#574a6b", "#4c5a4b", "#ffd98a")
NIGHT = Light("#101d3a", "#34507a", "#f6f0d8", "#1f3355", "#16263f", "#1b2f36", "#ffd27a")
SNOW = Light("#b9cfe4", "#f2f5f8", "#ffffff", "#d3deea", "#9fb3c6", "#f4f7fa", "#ffe1a3")
SOUTH = Light("#f2b78a", "#fdecd2", "#fffaf0", "#d99a76", "#b5765a", "#dcb98a", "#7fb7be")


def rect(x: float, y: float, w: float, h: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="{fill}" {more}/>'


def path(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}" {more}/>'


def round_(x: float, y: float, r: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" {more}/>'


def windows(
    left: float, top: float, columns: int, rows: int, size: tuple[int, int, int, int], fill: str
) -> str:
    """Rows of windows: how wide and high each is, and how far they are apart."""
    w, h, across, down = size
    return "".join(
        rect(left + column * across, top + row * down, w, h, fill, 'rx="3"')
        + rect(left + column * across, top + row * down + h - 4, w, 4, "#0003")
        for column in range(columns)
        for row in range(rows)
    )


def tree(x: float, y: float, size: float, fill: str, *, is_fir: bool = False) -> str:
    trunk = rect(x - size * 0.05, y - size * 0.4, size * 0.1, size * 0.42, "#6b4f3a")
    if is_fir:
        return trunk + "".join(
            path(
                f"M{x - size * w} {y - size * low}L{x} {y - size * high}L{x + size * w} "
                f"{y - size * low}z",
                fill,
            )
            for w, low, high in ((0.34, 0.2, 0.72), (0.27, 0.5, 0.95), (0.19, 0.78, 1.15))
        )
    crown = round_(x, y - size * 0.68, size * 0.34, fill)
    return trunk + crown + round_(x - size * 0.14, y - size * 0.76, size * 0.2, "#fff2")


def scene(light: Light, behind: str, front: str, *, at: tuple[int, int] = (740, 150)) -> str:
    """A place under the sky: what is behind the ground, and what stands on it."""
    stars = ""
    if light is NIGHT:
        stars = "".join(
            round_(n * 137 % 960, n * 71 % 300, 1 + n % 2, "#fff8") for n in range(1, 60)
        )
    return (
        f'<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="{light.top}"/>'
        f'<stop offset="1" stop-color="{light.low}"/></linearGradient></defs>'
        + rect(0, 0, WIDTH, HEIGHT, "url(#sky)")
        + stars
        + round_(*at, 46, light.sun)
        + round_(*at, 90, light.sun, 'opacity=".18"')
        + behind
        + rect(0, 500, WIDTH, 140, light.ground)
        + rect(0, 560, WIDTH, 80, "#0001")
        + front
    )


def hills(light: Light) -> str:
    return path("M0 420Q180 300 380 400T760 370 960 410V520H0z", light.far) + path(
        "M0 470Q240 380 470 460T960 430V520H0z", light.near
    )


def peaks(light: Light) -> str:
    return (
        path("M-40 520L170 210 330 430 500 170 720 470 850 300 1010 520z", light.far)
        + path("M170 210l-46 68 40-14 26 26 22-30zM500 170l-58 86 46-18 30 30 42-38z", "#fffd")
        + path("M0 480Q260 400 520 470T960 440V520H0z", light.near)
    )


def sea(light: Light) -> str:
    waves = "".join(
        rect(40 + n * 173 % 900, 440 + n * 17 % 56, 60 + n * 29 % 70, 3, "#fff6", 'rx="1.5"')
        for n in range(16)
    )
    return rect(0, 425, WIDTH, 100, "#3f86a3" if light is not NIGHT else "#1d4566") + waves


def roofs(light: Light) -> str:
    return "".join(
        rect(x, 500 - h, 76, h, light.far if x % 3 else light.near)
        + path(f"M{x - 6} {500 - h}l44 -34 44 34z", light.near)
        for x, h in ((-10, 150), (80, 210), (170, 120), (720, 180), (810, 130), (900, 220))
    )


def hotel(light: Light, wall: str) -> str:
    return (
        rect(260, 190, 440, 330, wall)
        + rect(640, 190, 60, 330, "#0002")
        + rect(246, 172, 468, 24, "#fff8")
        + windows(296, 222, 6, 3, (42, 52, 66, 78), light.glass)
        + rect(430, 452, 100, 68, "#3a2c2c")
        + rect(436, 458, 42, 62, light.glass)
        + rect(482, 458, 42, 62, light.glass)
        + path("M404 452h152l-18 -26h-116z", "#b23a48")
        + tree(200, 530, 130, light.near)
        + tree(770, 530, 150, light.near)
    )


def tower(light: Light, wall: str) -> str:
    return (
        rect(330, 90, 230, 430, wall)
        + rect(520, 90, 40, 430, "#0002")
        + rect(560, 260, 190, 260, "#fff6")
        + rect(560, 260, 190, 260, wall, 'opacity=".55"')
        + windows(356, 120, 4, 6, (34, 40, 44, 60), light.glass)
        + windows(584, 290, 4, 3, (26, 40, 40, 66), light.glass)
        + rect(400, 466, 80, 54, "#2f2a33")
        + rect(408, 472, 64, 48, light.glass)
        + tree(250, 530, 150, light.near)
        + tree(830, 530, 110, light.near)
    )


def flat(light: Light, wall: str) -> str:
    balconies = "".join(
        rect(x, y, 92, 8, "#3b3b46") + rect(x, y - 26, 92, 26, "#3b3b4655")
        for x in (336, 528)
        for y in (262, 362, 462)
    )
    return (
        roofs(light)
        + rect(310, 140, 340, 380, wall)
        + rect(310, 120, 340, 26, "#7d4b3d")
        + windows(350, 192, 2, 3, (64, 62, 192, 100), light.glass)
        + windows(452, 192, 1, 2, (56, 62, 0, 100), light.glass)
        + balconies
        + rect(448, 420, 64, 100, "#4b342a")
        + round_(502, 474, 4, "#e9c46a")
        + tree(240, 530, 140, light.near)
        + tree(726, 530, 120, light.near)
    )


def old_flat(light: Light, wall: str) -> str:
    gable = path("M300 220h90v-40h40v-40h100v40h40v40h90v300h-360z", wall)
    return (
        roofs(light)
        + gable
        + rect(620, 220, 40, 300, "#0002")
        + windows(340, 250, 4, 3, (40, 58, 70, 84), light.glass)
        + windows(460, 166, 1, 1, (40, 44, 0, 0), light.glass)
        + path("M452 520v-56a28 28 0 0 1 56 0v56z", "#5b3427")
        + rect(300, 512, 360, 8, "#0003")
        + tree(720, 530, 110, light.near)
    )


def cottage(light: Light, wall: str, roof: str = "#a3503d") -> str:
    return (
        rect(300, 330, 380, 190, wall)
        + rect(590, 220, 44, 110, "#7d6358")
        + path("M260 340L490 170 720 340z", roof)
        + path("M490 170L720 340h-60L490 214z", "#0002")
        + windows(336, 384, 1, 1, (72, 60, 0, 0), light.glass)
        + windows(572, 384, 1, 1, (72, 60, 0, 0), light.glass)
        + path("M452 520v-92a36 36 0 0 1 72 0v92z", "#4d6a6d")
        + round_(512, 470, 4, "#f4d58d")
        + round_(490, 282, 26, light.glass)
        + path("M458 520h64l40 120h-160z", "#e9dcc355")
        + tree(190, 530, 170, light.near)
        + tree(800, 530, 150, light.near)
        + "".join(round_(280 + n * 37, 522, 13, light.near) for n in (0, 1, 2, 3, 8, 9, 10, 11))
    )


def cabin(light: Light, wall: str) -> str:
    logs = "".join(rect(330, y, 300, 3, "#0002") for y in range(380, 520, 22))
    snow = path("M250 392L480 180 710 392h-36L480 220 286 392z", "#fff") if light is SNOW else ""
    return (
        tree(170, 530, 230, light.near, is_fir=True)
        + tree(790, 530, 270, light.near, is_fir=True)
        + path("M330 520V370L480 236 630 370V520z", wall)
        + logs
        + path("M250 392L480 180 710 392h-44L480 232 294 392z", "#4a3529")
        + snow
        + rect(374, 404, 70, 60, light.glass, 'rx="3"')
        + rect(516, 400, 64, 120, "#3c2a20")
        + round_(480, 322, 24, light.glass)
        + rect(330, 512, 300, 10, "#6b4a37")
        + tree(88, 560, 170, light.near, is_fir=True)
        + tree(884, 560, 190, light.near, is_fir=True)
    )


def tents(light: Light, wall: str) -> str:
    return (
        tree(130, 520, 220, light.near, is_fir=True)
        + tree(850, 520, 250, light.near, is_fir=True)
        + path("M300 540L470 270 640 540z", wall)
        + path("M470 270L640 540h-80z", "#0002")
        + path("M470 330L520 540h-100z", light.glass)
        + path("M650 540L740 390 830 540z", "#d08c60")
        + path("M740 430l28 110h-56z", "#0003")
        + path("M214 560l14 -34 14 34z", "#f4a259")
        + path("M221 560l8 -20 7 20z", "#ffe3a8")
        + rect(198, 560, 62, 8, "#5b4636", 'rx="4"')
    )
