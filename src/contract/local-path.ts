/** Printable ASCII without the backslash, which pages of this site consist of, decoded too. */
const printable = /^[!-[\]-~]+$/
/** A slash or backslash that a decoder brings back. */
const encodedSlash = /%(2f|5c)/i
const maxEncodings = 5

/**
 * Tells whether a text is a path of this site, with its query or fragment, and stays one in every
 * browser, router and proxy: `//host`, `/\host`, `/%2f/host` and `/.//host` lead to another
 * host, or do once they are decoded or tidied up. Use it wherever an address comes from outside: to
 * redirect to, to navigate to, or to be stored as a link.
 */
export function isLocalPath(value: unknown): value is string {
  if (typeof value !== 'string' || !value.startsWith('/') || !printable.test(value)) return false
  let [path = ''] = value.split(/[?#]/, 1)
  // Parsers differ in the changes that they make, to dot segments for example.
  if (parsed(value)?.pathname !== path) return false
  for (let encodings = 0; encodings <= maxEncodings; encodings += 1) {
    if (path.includes('//') || encodedSlash.test(path) || !printable.test(path)) return false
    const decoded = decodeOnce(path)
    if (decoded === path) return !path.split('/').some((segment) => segment === '.' || segment === '..')
    if (decoded === undefined) return false
    path = decoded
  }
  return false
}

/** The address on a site of its own; undefined for what leads elsewhere. URL.parse is too young. */
function parsed(path: string): URL | undefined {
  try {
    const url = new URL(path, 'https://local.invalid')
    return url.host === 'local.invalid' ? url : undefined
  } catch {
    return undefined
  }
}

/** Removes a single level of percent-encoding; undefined for malformed text. */
function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
