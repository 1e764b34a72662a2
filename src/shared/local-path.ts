/**
 * Printable ASCII without the backslash; paths of this site need no other characters, decoded too.
 */
const printable = /^[!-[\]-~]+$/
/** A slash or backslash that a decoder brings back. */
const encodedSlash = /%(2f|5c)/i
const maxEncodings = 5

/**
 * True for a path of this site, with query or fragment, that stays one in every browser, router and
 * proxy: `//host`, `/\host`, `/%2f/host` and `/.//host` lead to another host, or do once decoded or
 * normalized. Use it for every external address to redirect to, navigate to, or store.
 */
export function isLocalPath(value: unknown): value is string {
  if (typeof value !== 'string' || !value.startsWith('/') || !printable.test(value)) return false
  let [path = ''] = value.split(/[?#]/, 1)
  // Parsers differ in normalization, for example of dot segments.
  if (parseLocal(value)?.pathname !== path) return false
  for (let encodings = 0; encodings <= maxEncodings; encodings += 1) {
    if (path.includes('//') || encodedSlash.test(path) || !printable.test(path)) return false
    const decoded = decodeOnce(path)
    if (decoded === path) return !path.split('/').some((segment) => segment === '.' || segment === '..')
    if (decoded === undefined) return false
    path = decoded
  }
  return false
}

/** Undefined for addresses of other sites. URL.parse is too new for some browsers. */
function parseLocal(path: string): URL | undefined {
  try {
    const url = new URL(path, 'https://local.invalid')
    return url.host === 'local.invalid' ? url : undefined
  } catch {
    return undefined
  }
}

/** Undefined for malformed text. */
function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
