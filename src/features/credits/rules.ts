// Apart from the contract, so that screens get these numbers without the schema library.

/** Days that welcome credits last, and the fewest days that a lot's first refund lasts. */
export const welcomeDays = 30
export const refundMinDays = 7
/** Days before the end of credits at which a mail and the screens remind. */
export const reminderDays = 3
/** Generations a day under an unlimited package before 429. */
export const fairUsePerDay = 500
