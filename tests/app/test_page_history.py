"""The history of a session: read, gone to, and named."""

from dataclasses import replace

from treecore.recipe import Edit, Grow, Prune

CUT = Edit("cut", (0,))


def made(app):
    """Three steps on a sample."""
    app.sample("titanic")
    states = [app.record()]
    steps = ({"grow": Grow("cart", (("max_depth", 3),))}, {"prune": Prune("reduced_error")}, {"edits": (CUT,)})
    for step in steps:
        states.append(replace(states[-1], **step))
    app.own["past"], app.own["record"] = tuple(states[:-1]), states[-1]
    return app.go("grow")


def buttons(app) -> list[str]:
    return [b.label for b in app.at.button if str(b.key).startswith("step_")]


def test_every_step_is_told_and_can_be_gone_to(app):
    made(app)
    told = buttons(app)
    assert [label.split(".")[0] for label in told] == ["3", "2", "1", "0"]
    assert "cut the node" in told[0].replace("\\", "")
    last = app.record()
    app.click("step_1")
    assert app.record().grow == last.grow
    assert app.record().prune == Prune()
    assert len(buttons(app)) == 4
    app.click("step_3")
    assert app.record().edits == last.edits
    app.click("step_0")
    assert app.record().grow != last.grow


def test_a_state_that_was_named_is_found_again(app):
    made(app)
    app.click("step_1")
    app.set("state_name", "before pruning *")
    app.click("step_3")
    assert app.widget("state_name").value == ""
    assert "before pruning" in buttons(app)[2]
    app.click("step_1")
    assert app.widget("state_name").value == "before pruning *"
    app.set("state_name", "")
    assert not any("before" in label for label in buttons(app))
