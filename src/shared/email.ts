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
