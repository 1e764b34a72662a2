/** Spans of time that the dashboard can show, and the days in each. */
export const periodDays = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const
export type Period = keyof typeof periodDays
export const periods = Object.keys(periodDays) as Period[]
