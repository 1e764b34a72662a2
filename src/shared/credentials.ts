/** In characters (RFC 5321 §4.5.3.1). */
const emailMaxLength = 254

/** The browsers' rule (HTML Living Standard, "valid e-mail address") plus a dotted host. */
export function isEmail(text: string): boolean {
  return (
    text.length <= emailMaxLength &&
    /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/.test(
      text,
    )
  )
}

/** The form in which an address is stored and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

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

type PasswordProblem = 'password.required' | (typeof passwordRules)[number]['key']

/** The first broken rule, or null. */
export function passwordProblem(password: string): PasswordProblem | null {
  if (password === '') return 'password.required'
  return passwordRules.find((rule) => !rule.holds(password))?.key ?? null
}
