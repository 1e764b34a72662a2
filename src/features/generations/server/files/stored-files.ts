import type { SQL } from 'drizzle-orm'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { EngineOutput } from '#tools/threads/task.ts'
import { signResult } from '../content-credentials/sign-result.ts'
import type { AcceptedFile } from '../execution/accept-request.ts'
import { generationFiles } from '../table.ts'

export type NewFile = typeof generationFiles.$inferInsert

/** Ends with the file's id, so that the sweep can find files without a row. */
function storageKey(generationId: string, fileId: string): string {
  return `generations/${generationId}/${fileId}`
}

/**
 * Copies inputs, so that deleting an upload does not affect the generation. A failure leaves no
 * copies. The transaction that starts using them writes their rows.
 */
export async function storeInputs(
  deps: Pick<Deps, 'db' | 'store'>,
  generationId: string,
  files: AcceptedFile[],
  now: Date,
): Promise<NewFile[]> {
  const rows = files.map(({ input: label, position, name, contentType, width, height, seconds, bytes }) =>
    newFile(generationId, { role: 'input', label, position, name, contentType, width, height, seconds, bytes }, now),
  )
  return await allOrNone(deps, rows, now, (row, index) =>
    deps.store.copy(files[index]?.storageKey ?? '', row.storageKey),
  )
}

/** Signs and stores outputs; a failure leaves no files. */
export async function storeOutputs(
  deps: Pick<Deps, 'db' | 'store' | 'config' | 'log'>,
  generationId: string,
  outputs: {
    role: Exclude<NewFile['role'], 'input' | 'earlier'>
    name: string
    position: number
    file: EngineOutput
  }[],
  now: Date,
): Promise<NewFile[]> {
  const files = await Promise.all(
    outputs.map(async ({ role, name, position, file }) => {
      const { label, contentType, width, height, seconds = 0 } = file
      const bytes = role === 'output' ? await signed(deps, file, now) : file.bytes
      const given = { role, label, position, name, contentType, width, height, seconds, bytes: bytes.length }
      return { row: newFile(generationId, given, now), bytes }
    }),
  )
  const rows = files.map(({ row }) => row)
  return await allOrNone(deps, rows, now, (row, index) =>
    deps.store.put(row.storageKey, files[index]?.bytes ?? new Uint8Array()),
  )
}

/** A result that cannot be signed stays unchanged. */
async function signed(
  { config: { contentCredentials }, log }: Pick<Deps, 'config' | 'log'>,
  file: EngineOutput,
  now: Date,
): Promise<Uint8Array> {
  if (!contentCredentials) return file.bytes
  try {
    return await signResult(file, contentCredentials, now)
  } catch (error) {
    log.error({ err: error }, 'could not sign a result')
    return file.bytes
  }
}

export async function insertFiles(tx: Transaction, userId: string, files: NewFile[], now: Date): Promise<void> {
  if (files.length === 0) return
  // Both queries are sent together and run one after the other.
  await Promise.all([uploads.keepFiles(tx, { userId, files, now }), tx.insert(generationFiles).values(files)])
}

/** Deletes rows and returns storage keys; the caller deletes the files after the commit. */
export async function deleteFiles(tx: Transaction, which: SQL | undefined, now: Date): Promise<string[]> {
  return await uploads.dropFiles(tx, await tx.delete(generationFiles).where(which).returning(), now)
}

async function allOrNone(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  rows: NewFile[],
  now: Date,
  storeOne: (row: NewFile, index: number) => Promise<unknown>,
): Promise<NewFile[]> {
  await uploads.announceFiles(db, { files: rows, now })
  const outcomes = await Promise.allSettled(rows.map(storeOne))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return rows
  await store.delete(rows.map((row) => row.storageKey)).catch(() => {})
  throw failure.reason
}

function newFile(
  generationId: string,
  file: Omit<NewFile, 'id' | 'generationId' | 'storageKey' | 'createdAt'>,
  now: Date,
): NewFile {
  const id = crypto.randomUUID()
  return { ...file, id, generationId, storageKey: storageKey(generationId, id), createdAt: now }
}
