/** A child first, because it is the most urgent. */
export const reportCategories = ['minor', 'sexual', 'without_consent', 'deception', 'hate', 'other'] as const
export type ReportCategory = (typeof reportCategories)[number]

/** `withdrawn` ends all links of the result; `limited` limits the account as well. */
export const reportStatuses = ['waiting', 'kept', 'withdrawn', 'limited'] as const
export type ReportStatus = (typeof reportStatuses)[number]

export const reportNoteMax = 500

/** Days of a limit that an admin may choose. */
export const limitDays = [1, 7, 30, 365] as const
