export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * 86_400_000)
}
