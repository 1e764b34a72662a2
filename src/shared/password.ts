/** In characters. */
export const passwordMinLength = 8

/** In the order of reporting; each key names its message. */
export const passwordRules = [
  { key: 'password.minLength', holds: (password: string) => [...password].length >= passwordMinLength },
  { key: 'password.lowercase', holds: (password: string) => /[a-z]/.test(password) },
  { key: 'password.uppercase', holds: (password: string) => /[A-Z]/.test(password) },
  { key: 'password.number', holds: (password: string) => /[0-9]/.test(password) },
  { key: 'password.specialChar', holds: (password: string) => /[!@#$%^&*(),.?":{}|<>]/.test(password) },
] as const

export type PasswordProblem = 'password.required' | (typeof passwordRules)[number]['key']

/** The first broken rule, or null. */
export function passwordProblem(password: string): PasswordProblem | null {
  if (password === '') return 'password.required'
  return passwordRules.find((rule) => !rule.holds(password))?.key ?? null
}
