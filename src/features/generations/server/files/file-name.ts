import { uploads } from '#features/uploads/server/uploads.ts'

export function resultName(source: string | undefined, tool: string, extension: string, index = 0): string {
  const number = index === 0 ? '' : `-${index + 1}`
  return `${uploads.safeStem(source ?? '')}-${tool}${number}.${extension}`
}

/** Gives the name in ASCII and, for clients that support RFC 8187, in full (RFC 6266). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\%]/g, '_')
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`
}
