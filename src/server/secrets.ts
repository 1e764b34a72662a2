import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const bytes = 32

/** Generated once under DATA_DIR/secrets, readable by the owner only. */
export function storedSecret(dataDir: string, name: string): Uint8Array {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  const known = readSecret(file)
  if (known) return known
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(bytes).toString('base64url'), { mode: 0o600, flush: true })
  try {
    // A link never replaces a file, so the first of two starting processes wins.
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const made = readSecret(file)
  if (!made) throw damaged(file)
  return made
}

/** May also be the text of a file that `storedSecret` has made. */
export function decodeConfiguredSecret(given: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(given)
  return /^[\w-]{43}$/.test(text) ? new Uint8Array(Buffer.from(text, 'base64url')) : given
}

/** HMAC-SHA-256, 32 bytes. Reveals neither the secret nor the keys of other purposes. */
export function derivedKey(secret: Uint8Array, purpose: string): Uint8Array {
  return createHmac('sha256', secret).update(purpose).digest()
}

/** Still accepted after a rotation (`rotateSecret`). */
export function previousSecret(dataDir: string, name: string): Uint8Array | undefined {
  return readSecret(join(dataDir, 'secrets', `${name}.previous`))
}

/** The next start generates another key and still accepts this one. */
export function rotateSecret(dataDir: string, name: string): void {
  const file = join(dataDir, 'secrets', name)
  if (!readSecret(file)) throw new Error(`${file} does not exist: the key is set by a variable`)
  renameSync(file, `${file}.previous`)
}

/** From the next start on, tokens and addresses of the previous key are refused. */
export function deletePreviousSecret(dataDir: string, name: string): void {
  rmSync(join(dataDir, 'secrets', `${name}.previous`), { force: true })
}

function readSecret(file: string): Uint8Array | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const secret = Buffer.from(text, 'base64url')
  if (secret.length !== bytes) throw damaged(file)
  chmodSync(file, 0o600)
  return new Uint8Array(secret)
}

function damaged(file: string): Error {
  return new Error(
    `${file} is damaged; restore it from a backup, or delete it, which invalidates everything that depends on it`,
  )
}
