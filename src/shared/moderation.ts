/** A prompt's words, a picture by the safety model, or a provider's own safety rules. */
export const refusalKinds = ['words', 'picture', 'provider'] as const
export type RefusalKind = (typeof refusalKinds)[number]
