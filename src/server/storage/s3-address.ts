import { createHash, createHmac } from 'node:crypto'
import type { SignedAddressOptions } from './store.ts'

/**
 * AWS Signature Version 4 in the query. (s3mini leaves apostrophes in file names unencoded, so that
 * strict storages refuse its signatures.)
 */
export function signS3Address(
  address: URL,
  { origin, key, now }: { origin: string; key: string; now: Date },
  { seconds, contentType, contentDisposition }: SignedAddressOptions,
): string {
  const path = `${address.pathname}/${key.split('/').map(encode).join('/')}`
  const moment = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [moment.slice(0, 8), address.searchParams.get('region') ?? 'auto', 's3', 'aws4_request']
  const query = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [decodeURIComponent(address.username), ...scope].join('/'),
    'X-Amz-Date': moment,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
    'response-cache-control': `private, max-age=${seconds}, immutable`,
    'response-content-disposition': contentDisposition,
    'response-content-type': contentType,
  })
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
  const request = ['GET', path, query, `host:${new URL(origin).host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const hash = createHash('sha256').update(request).digest('hex')
  const text = ['AWS4-HMAC-SHA256', moment, scope.join('/'), hash].join('\n')
  const secret: string | Buffer = `AWS4${decodeURIComponent(address.password)}`
  const signature = hmac(scope.reduce<string | Buffer>(hmac, secret), text).toString('hex')
  return `${origin}${path}?${query}&X-Amz-Signature=${signature}`
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
