"""Regions: what the tree answers everywhere in the plane of two features."""

from pages.shared import guard, plane_slices, planes, work
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """The plane of two features, or the steps of one."""
    if planes.is_curve(work.grown()):
        planes.draw_steps()
        planes.choose_tree()
        return
    planes.choose_axes()
    planes.draw_plane()
    planes.offer_change()
    planes.choose_rest()
    planes.choose_tree()
    plane_slices.show()


shell.show("regions", beside)
