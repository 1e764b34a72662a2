/** Kept after the last occurrence. */
export const errorReportDays = 30
