/** Orders of the list of orders: by age, or by what they cost. */
export const orderSorts = ['newest', 'oldest', 'dearest', 'cheapest'] as const
export type OrderSort = (typeof orderSorts)[number]
