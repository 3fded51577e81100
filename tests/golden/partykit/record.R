# Random tables with gaps, and the trees with surrogates that partykit (1.2-16, R 4.2.2) grows on them, a line for each.
# Run in this folder: Rscript record.R
suppressMessages(library(partykit))
seed0 <- 7000; n_cases <- 40; out <- "surrogates.jsonl"
js <- function(x) {
  if (is.null(x)) return("null")
  if (is.list(x)) { if (!is.null(names(x))) return(paste0("{", paste0('"', names(x), '":', sapply(x, js), collapse=","), "}")); return(paste0("[", paste0(sapply(x, js), collapse=","), "]")) }
  f <- function(v) if (is.na(v)) "null" else if (is.character(v)) paste0('"', v, '"') else if (is.logical(v)) tolower(v) else format(v, digits=17)
  if (inherits(x, "AsIs")) return(paste0("[", paste0(sapply(unclass(x), f), collapse=","), "]"))
  if (length(x) == 1) f(x) else paste0("[", paste0(sapply(x, f), collapse=","), "]")
}
split_of <- function(s, d) { list(variable=names(d)[s$varid], breaks=if (is.null(s$breaks)) NULL else I(as.numeric(s$breaks)), index=if (is.null(s$index)) NULL else I(as.integer(s$index)), right=s$right) }
node_of <- function(nd, d) {
  s <- split_node(nd)
  r <- list(id=id_node(nd))
  if (!is.null(s)) { r$split <- split_of(s, d); r$prob <- I(as.numeric(s$prob))
    r$surrogates <- lapply(unname(surrogates_node(nd)), split_of, d=d)
    r$children <- lapply(unname(kids_node(nd)), node_of, d=d) }
  r
}
con <- file(out, "w")
for (k in 1:n_cases) {
  set.seed(seed0 + k)
  n <- sample(20:80, 1); p <- sample(3:6, 1)
  z <- rnorm(n); kinds <- sample(c("numeric","nominal","ordinal"), p, TRUE, c(.5,.25,.25))
  d <- list()
  for (j in 1:p) {
    u <- z + rnorm(n) * sample(c(.1,.3,.8,2), 1)
    if (kinds[j] == "numeric") x <- round(u, sample(0:2, 1))
    else { m <- sample(2:5, 1); lv <- letters[1:m]
      x <- lv[as.integer(cut(u, unique(c(-Inf, quantile(u, (1:(m-1))/m), Inf))))]
      x <- factor(x, levels=if (kinds[j]=="nominal") sample(lv) else lv, ordered=kinds[j]=="ordinal") }
    x[runif(n) < sample(c(0,.1,.25,.4),1)] <- NA
    d[[paste0("x", j)]] <- x
  }
  d <- as.data.frame(d)
  task <- sample(c("c2","c3","r"), 1)
  y <- z + rnorm(n)*.3
  d$y <- if (task=="r") round(y, 2) else factor(letters[as.integer(cut(y, c(-Inf, if (task=="c2") 0 else c(-.5,.5), Inf)))], levels=letters[1:(if (task=="c2") 2 else 3)])
  if (is.factor(d$y) && any(table(d$y)==0)) next
  w <- if (runif(1) < .4) as.integer(sample(c(0,1,1,1,2,3), n, TRUE)) else NULL
  s <- list(alpha=sample(c(.05,.5,1),1), minsplit=sample(c(5,10,20),1), minbucket=sample(c(1,2,4,7),1), maxdepth=sample(c(1,2,3),1), maxsurrogate=sample(1:4,1), teststat="quadratic")
  ctl <- ctree_control(alpha=s$alpha, minsplit=s$minsplit, minbucket=s$minbucket, maxdepth=s$maxdepth, maxsurrogate=s$maxsurrogate, majority=TRUE, teststat=s$teststat, splitstat=s$teststat)
  fit <- tryCatch(if (is.null(w)) ctree(y ~ ., d, control=ctl) else { ww <- w; eval(bquote(ctree(y ~ ., d, weights=.(ww), control=ctl))) }, error=function(e) e)
  if (inherits(fit, "error")) { cat("error", seed0+k, conditionMessage(fit), "\n"); next }
  dd <- fit$data
  nodes <- tryCatch(as.integer(predict(fit, d, type="node")), error=function(e) NULL)
  r <- list(seed=seed0+k, settings=s, task=task, kinds=I(kinds), weights=if (is.null(w)) NULL else I(w),
            columns=lapply(d, function(x) if (is.factor(x)) I(as.integer(x)) else I(x)),
            levels=lapply(d, function(x) if (is.factor(x)) I(levels(x)) else NULL),
            tree=node_of(node_party(fit), fit$data), nodes=if (is.null(nodes)) NULL else I(nodes), grown=I(as.integer(fit$fitted[["(fitted)"]])))
  writeLines(js(r), con)
}
close(con)
