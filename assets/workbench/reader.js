/* What a page of one file takes of the canvas: the pane, its layout, its colours. */

import { Colors } from "./colors.js";
import { NEAR } from "./camera.js";
import { canvasLayout, covering, LARGEST, tidy, wholeLayout } from "./layout.js";
import { TreePane } from "./pane.js";
import { PRESENT } from "./room.js";
import { survivalCurve } from "./survival_curve.js";
import { cut } from "./text.js";

export const Reader = { Colors, TreePane, canvasLayout, covering, cut, LARGEST, NEAR, PRESENT, survivalCurve, tidy, wholeLayout };
