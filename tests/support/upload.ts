import type { UploadView } from '#features/uploads/rules.ts'
import type { TestUser } from './test-app.ts'

type Person = Pick<TestUser, 'request'>
const version = { 'tus-resumable': '1.0.0' }

/** By tus. */
export function beginUpload(user: Person, bytes: number, name = 'foto.png', type?: string): Promise<Response> {
  const encode = (value: string) => Buffer.from(value).toString('base64')
  const metadata = `filename ${encode(name)}${type ? `,filetype ${encode(type)}` : ''}`
  return user.request('/api/uploads', {
    method: 'POST',
    headers: { ...version, 'upload-length': String(bytes), 'upload-metadata': metadata },
  })
}

export function sendBytes(user: Person, address: string, offset: number, bytes: Uint8Array<ArrayBuffer>) {
  return user.request(address, {
    method: 'PATCH',
    headers: { ...version, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body: bytes,
  })
}

/** Null when there is no such upload. */
export async function offsetOf(user: Person, address: string): Promise<number | null> {
  const response = await user.request(address, { method: 'HEAD', headers: version })
  return response.ok ? Number(response.headers.get('upload-offset')) : null
}

export async function upload(user: Person, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<UploadView> {
  const begun = await beginUpload(user, bytes.length, name)
  const address = begun.headers.get('location')
  if (!address) throw new Error(`${begun.status} ${await begun.text()}`)
  const sent = await sendBytes(user, address, 0, bytes)
  if (sent.status !== 204) throw new Error(`${sent.status} ${await sent.text()}`)
  return (await (await user.request(address)).json()) as UploadView
}
