/** The contract's limits, without its schemas. */
export const maxAttachments: typeof import('../../contract.ts').maxAttachments = 5
export const titleMax = 120
export const descriptionMax = 4000
