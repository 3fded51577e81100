/* What a page of one file takes of the canvas: the pane, its layout, its colours. */

import { Colors } from "./colors.js";
import { canvasLayout, covering, LARGEST, tidy } from "./layout.js";
import { TreePane } from "./pane.js";
import { cut } from "./text.js";

export const Reader = { Colors, TreePane, canvasLayout, covering, cut, LARGEST, tidy };
