# Trees of rpart and partykit, and what R answers of rows, with gaps where it answers them without chance.
# Run in this folder: Rscript record.R
suppressMessages({library(rpart); library(partykit)})
source("../../../docs/guides/tree_to_json.R")

table_of <- function(seed, n = 150) {
  set.seed(seed)
  d <- data.frame(a = round(rnorm(n), 1), b = round(rnorm(n), 1), k = factor(sample(c("u", "v", "w & co", "1"), n, TRUE)),
                  o = factor(sample(c("lo", "mid", "hi"), n, TRUE), levels = c("lo", "mid", "hi"), ordered = TRUE),
                  l = runif(n) < .5)
  z <- d$a + (d$k == "u") + as.integer(d$o) * d$l + rnorm(n)
  d$y <- factor(c("low", "middle", "high")[1 + (z > 1) + (z > 2.5)]); d$z <- z
  for (name in c("a", "b", "k", "o", "l")) d[[name]][sample(n, n / 8)] <- NA
  d
}

# partykit draws a child by chance where a level was not in a node: such rows have no answer to compare
without_chance <- function(fit, rows) {
  drawn <- sapply(1:30, function(seed) { set.seed(seed); predict(fit, rows, type = "node") })
  rows[apply(drawn == drawn[, 1], 1, all), ]
}

record <- function(name, fit, rows) {
  if (inherits(fit, "party")) rows <- without_chance(fit, rows)
  tree_to_json(fit, paste0(name, ".json"))
  is_class <- inherits(fit, "rpart") && fit$method == "class" || inherits(fit, "party") && is.factor(fit$fitted[["(response)"]])
  shares <- if (is_class) predict(fit, rows, type = "prob")
  answers <- predict(fit, rows, type = if (is_class) (if (inherits(fit, "rpart")) "class" else "response") else if (inherits(fit, "rpart")) "vector" else "response")
  told <- list(rows = lapply(rows[c("a", "b", "k", "o", "l")], function(x) if (is.factor(x)) I(as.character(x)) else I(x)),
               answers = I(unname(if (is_class) as.character(answers) else as.vector(answers))),
               shares = if (is_class) lapply(seq_len(nrow(rows)), function(i) I(unname(as.vector(shares[i, ])))))
  writeLines(.json(told), paste0(name, ".answers.json"))
}

for (seed in 1:3) {
  d <- table_of(seed); probes <- table_of(seed + 100, 60)
  probes[1, c("a", "b", "k", "o", "l")] <- NA
  for (uses in 0:2) {
    control <- rpart.control(usesurrogate = uses, cp = .005, minsplit = 10, maxdepth = 4)
    record(sprintf("rpart-class-%d-%d", seed, uses), rpart(y ~ a + b + k + o + l, d, control = control), probes)
    record(sprintf("rpart-anova-%d-%d", seed, uses), rpart(z ~ a + b + k + o + l, d, control = control), probes)
  }
}
priors <- rpart(y ~ a + b + k, d, parms = list(prior = c(.6, .2, .2)), weights = rep(1:3, 50))
record("rpart-priors", priors, probes)
whole <- na.omit(table_of(7, 400)); whole$l <- factor(whole$l)
probes <- na.omit(table_of(107, 120)); probes$l <- factor(probes$l)
loose <- ctree_control(alpha = .5, minbucket = 5, minsplit = 10, multiway = TRUE)
record("ctree-class", ctree(y ~ a + b + k + o + l, whole, control = loose), probes)
record("ctree-numbers", ctree(z ~ a + b + k + o + l, whole, control = loose), probes)
record("party-of-rpart", as.party(rpart(y ~ a + b + k + o + l, whole)), probes)
stump <- ctree(y ~ a, whole, control = ctree_control(maxdepth = 0, stump = FALSE, mincriterion = 1))
record("ctree-root", stump, probes)
