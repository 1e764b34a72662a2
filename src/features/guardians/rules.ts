import { addTime } from '#shared/time.ts'
/** `closed`: the account is closed, or being closed. */
export const linkStates = ['open', 'given', 'not_needed', 'closed'] as const
export type LinkState = (typeof linkStates)[number]

export const guardianDecisions = ['consent', 'refuse', 'revoke'] as const
export type GuardianDecision = (typeof guardianDecisions)[number]

export const guardianPath = (token: string): string => `/guardian/${token}`

/** Reminder after these days of silence, closing after as many again. */
export const closesAfter = (waitingSince: Date, days: number): Date => addTime(waitingSince, { days: 2 * days })
