"""Regions: what the tree answers everywhere in the plane of two features."""

from pages.shared.bench import shell, side_panel
from pages.shared.experiments import findings
from pages.shared.regions import borders, move, planes, slices
from pages.shared.server import guard
from pages.shared.trees import work

guard.enter()


def panel() -> None:
    """The plane of two features, or the steps of one."""
    if planes.is_curve(work.grown()):
        planes.draw_steps()
        planes.choose_tree()
        return
    is_wide = side_panel.is_wider("regions")
    planes.choose_axes(offer=borders.offer if is_wide else None)
    if move.on():
        move.show()
        findings.keep("plane")
    elif borders.on():
        borders.show()
    else:
        planes.draw_plane()
        planes.offer_change()
        move.offer()
    if not is_wide:
        borders.offer()
    planes.choose_rest()
    planes.choose_tree()
    slices.show()


shell.show("regions", panel, draw=move.canvas)
