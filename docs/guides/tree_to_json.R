# Write a tree of rpart or partykit as JSON that treecore reads; base R alone.
#
#   source("tree_to_json.R")
#   tree_to_json(fit, "tree.json")
#
# Numbers are written with 17 digits, so that they come back as the same doubles.

tree_to_json <- function(fit, path) {
  tree <- if (inherits(fit, "rpart")) .of_rpart(fit)
          else if (inherits(fit, "constparty")) .of_party(fit)
          else if (inherits(fit, "party")) stop("the leaves hold models: only trees whose leaves are answers are written")
          else stop("give a fit of rpart, or of partykit (ctree, as.party)")
  writeLines(enc2utf8(.json(tree)), path, useBytes = TRUE)
}

.json <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) {
    parts <- vapply(x, .json, "")
    if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ", "), "]"))
    return(paste0("{", paste0(vapply(names(x), .text, ""), ": ", parts, collapse = ", "), "}"))
  }
  parts <- if (is.character(x)) ifelse(is.na(x), "null", vapply(x, .text, ""))
           else if (is.logical(x)) ifelse(is.na(x), "null", ifelse(x, "true", "false"))
           else ifelse(is.finite(x), sprintf("%.17g", x), "null")
  if (inherits(x, "AsIs") || length(x) != 1) paste0("[", paste(parts, collapse = ", "), "]") else parts
}

.text <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(x), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  for (i in 1:31) x <- gsub(intToUtf8(i), sprintf("\\u%04x", i), x, fixed = TRUE)
  paste0("\"", x, "\"")
}

# what the columns are: levels in their order, and whether the tree compares their places, as of ordered factors
.features <- function(names, classes, levels) {
  lapply(names, function(name) {
    is_logical <- identical(unname(classes[name]), "logical")
    list(name = name, levels = if (is_logical) I(c("FALSE", "TRUE")) else if (!is.null(levels[[name]])) I(levels[[name]]),
         from = if (is_logical) 0 else 1)
  })
}

.of_rpart <- function(fit) {
  if (!fit$method %in% c("class", "anova")) stop("only trees of classes (class) and of numbers (anova) are written")
  frame <- fit$frame
  id <- as.numeric(row.names(frame))
  leaf <- frame$var == "<leaf>"
  names <- attr(fit$terms, "term.labels")
  labels <- attr(fit, "ylevels")
  first <- cumsum(c(1, frame$ncompete + frame$nsurrogate + !leaf))
  one <- function(row) {
    ncat <- fit$splits[row, "ncat"]
    at <- fit$splits[row, "index"]
    split <- list(feature = match(rownames(fit$splits)[row], names) - 1)
    if (abs(ncat) == 1) return(c(split, list(breaks = I(unname(at)), closed = FALSE, kids = I(if (ncat < 0) 0:1 else 1:0))))
    sides <- fit$csplit[at, seq_len(ncat)]
    c(split, list(levels = I(ifelse(sides == 2, -1, ifelse(sides == 1, 0, 1)))))
  }
  nodes <- lapply(seq_along(id), function(i) {
    node <- list(id = id[i], n = frame$n[i], weight = frame$wt[i])
    k <- length(labels)
    node <- c(node, if (fit$method == "class") list(answer = frame$yval[i] - 1,
                                                    shares = I(unname(frame$yval2[i, 1 + k + seq_len(k)])))
                    else list(answer = frame$yval[i]))
    if (leaf[i]) return(node)
    kids <- match(c(2, 2) * id[i] + 0:1, id)
    surrogates <- if (fit$control$usesurrogate > 0) first[i] + frame$ncompete[i] + seq_len(frame$nsurrogate[i])
    c(node, list(kids = I(id[kids]), splits = lapply(c(first[i], surrogates), one),
                 missing = if (fit$control$usesurrogate > 1) .larger(fit, kids)))
  })
  list(format = "r-tree", made_by = paste("rpart", packageVersion("rpart")), target = all.vars(fit$terms)[1],
       classes = if (!is.null(labels)) I(labels),
       features = .features(names, attr(fit$terms, "dataClasses"), attr(fit, "xlevels")), nodes = nodes)
}

# where rpart sends a row that neither the split nor a surrogate decides
.larger <- function(fit, kids) if (fit$frame$wt[kids[1]] >= fit$frame$wt[kids[2]]) 0 else 1

.of_party <- function(fit) {
  library(partykit)
  ids <- nodeids(fit)
  fitted <- fit$fitted
  weights <- if (is.null(fitted[["(weights)"]])) rep(1, nrow(fitted)) else fitted[["(weights)"]]
  y <- fitted[["(response)"]]
  if (!is.factor(y) && !is.numeric(y)) stop("only trees of classes and of numbers are written")
  target <- deparse(fit$terms[[2]])
  names <- setdiff(names(fit$data), target)
  levels <- lapply(fit$data, function(x) if (is.factor(x)) levels(x))
  classes <- vapply(fit$data, function(x) class(x)[length(class(x))], "")
  one <- function(split) {
    told <- list(feature = match(names(fit$data)[split$varid], names) - 1)
    index <- split$index
    if (is.null(split$breaks)) return(c(told, list(levels = I(ifelse(is.na(index), -1, index - 1)))))
    if (is.null(index)) index <- seq_len(length(split$breaks) + 1)
    c(told, list(breaks = I(split$breaks), closed = isTRUE(split$right), kids = I(index - 1)))
  }
  nodes <- lapply(nodeapply(fit, ids), function(node) {
    below <- fitted[["(fitted)"]] %in% nodeids(node, terminal = TRUE)
    w <- weights[below]
    told <- list(id = id_node(node), n = sum(w > 0), weight = sum(w))
    if (is.factor(y)) {
      shares <- tapply(w, y[below], sum)
      shares[is.na(shares)] <- 0
      shares <- shares / sum(w)
      told <- c(told, list(answer = unname(which.max(shares)) - 1, shares = I(unname(as.vector(shares)))))
    } else told <- c(told, list(answer = sum(w * y[below]) / sum(w)))
    if (is.terminal(node)) return(told)
    kids <- vapply(kids_node(node), id_node, 1)
    c(told, list(kids = I(kids), splits = lapply(c(list(split_node(node)), surrogates_node(node)), one), missing = NULL))
  })
  list(format = "r-tree", made_by = paste("partykit", packageVersion("partykit")), target = target,
       classes = if (is.factor(y)) I(levels(y)),
       features = .features(names, classes, levels), nodes = unname(nodes))
}
