/** The Worker of `bench:metrics` runs `?requests=` requests of a route that does nothing here, inside itself, as `&with=` says. */
export const FIGURES_PATH = '/bench/figures'

/** The work of a retrieve for an operator: none, its figures, or its figures and a span. */
export const VARIANTS = ['nothing', 'figures', 'span'] as const
export type Variant = (typeof VARIANTS)[number]
