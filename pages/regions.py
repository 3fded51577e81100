"""Regions: what the tree answers everywhere in the plane of two features."""

from pages.shared import experiment_findings, guard, plane_move, plane_slices, planes, work
from pages.shared.bench import shell

guard.enter()


def beside() -> None:
    """The plane of two features, or the steps of one."""
    if planes.is_curve(work.grown()):
        planes.draw_steps()
        planes.choose_tree()
        return
    planes.choose_axes()
    if plane_move.on():
        plane_move.show()
        experiment_findings.keep("plane")
    else:
        planes.draw_plane()
        planes.offer_change()
        plane_move.offer()
    planes.choose_rest()
    planes.choose_tree()
    plane_slices.show()


shell.show("regions", beside, draw=plane_move.canvas)
