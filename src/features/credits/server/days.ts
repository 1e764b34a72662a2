/** The moment a number of days later. */
export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * 86_400_000)
}
