import { markBusy } from '#client/busy.ts'
import { checkConnection, onlineAtom } from '#client/connection.ts'
import { copyFile, isReadable } from '#client/device/local-file.ts'
import { store, tokenAtom } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { ensureToolConsent, maySend } from '#features/account/app/account.ts'
import { ensureAllowedAge } from '#features/guardians/app/guardians.ts'
import { indexedDbStore } from '#upload-queue/indexed-db-store.ts'
import {
  type Change,
  deleteItems,
  filesOf,
  findLostFiles,
  type NewFile,
  type PixelSize,
  type UploadItem,
} from '#upload-queue/store.ts'
import {
  afterFileLoss,
  dismissed,
  priceAccepted,
  retried,
  withCancellation,
  withReplacement,
} from '#upload-queue/transitions.ts'
import { announce, ownerOfUploads, readUploads, sendUploads, startChannel, uploads } from './send-uploads.ts'
import { isMemoryOnly, progressAtom, resultsAtom, uploadsAtom } from './use-job.ts'

export const retryUpload = (id: string): Promise<void> => changeAndSend(id, retried)

/** Requests by the server's refusal. */
const requests: Record<string, () => Promise<boolean>> = {
  'consent.required': () => ensureToolConsent({ needsConsent: 'biometric' }),
  'consent.remote_required': () => maySend(),
  'age.unknown': () => ensureAllowedAge({ needsYear: true }),
  'guardian.consent_required': () => ensureAllowedAge({}),
}

export const isRequestable = (code: string | null | undefined) => code != null && code in requests

/** Requests the consent or the age that the server found missing. */
export async function consentToUpload(id: string, code: string): Promise<void> {
  if (await requests[code]?.()) await retryUpload(id)
}

/** Null, after a message, for a file that does not fit in the place of a lost one. */
export type PrepareFile = (
  file: File,
  size: PixelSize | null,
) => Promise<Pick<NewFile, 'name' | 'blob' | 'size'> | null>

let prepareFile: PrepareFile = async (file) => ({ name: file.name, blob: await copyFile(file) })

/** Puts a newly chosen file in the place of one that the device has lost, and sends the upload. */
export async function chooseAgain(id: string, index: number, file: File): Promise<void> {
  const item = store.get(uploadsAtom).find((upload) => upload.id === id)
  const lost = item && filesOf(item).find((queued) => queued.index === index)
  const chosen = lost && (await prepareFile(file, lost.size ?? null))
  if (!item || !chosen) return
  const stored = (await uploads.files(id)) ?? []
  const files: Blob[] = []
  for (const { index: other, bytes } of filesOf(item)) {
    const kept = stored[other]
    // A file that cannot be read could not be stored again either.
    files[other] = other === index ? chosen.blob : kept && (await isReadable(kept, bytes)) ? kept : new Blob()
  }
  await uploads.change(id, withReplacement(index, chosen), files)
  await readUploads()
  void sendUploads()
}

/** Without a network, a file that the device has lost would be found only much later. */
async function checkFiles(): Promise<void> {
  for (const item of await uploads.list().catch(() => [])) {
    const lost = await findLostFiles(uploads, item).catch(() => [])
    if (lost.length > 0) await uploads.change(item.id, (now) => afterFileLoss(now, lost))
  }
  await readUploads()
}

export async function confirmUpload(id: string): Promise<void> {
  const asked = store.get(uploadsAtom).find((item) => item.id === id)?.askedPrice
  if (typeof asked === 'number') await changeAndSend(id, priceAccepted(asked))
}

async function changeAndSend(id: string, change: (item: UploadItem) => Change): Promise<void> {
  await uploads.change(id, change)
  await readUploads()
  void sendUploads()
}

/** If the upload had arrived, the server cancels and refunds it. */
export async function cancelUpload(id: string): Promise<void> {
  const left = await uploads.change(id, withCancellation)
  if (left?.state === 'cancelling') {
    announce({ type: 'cancel', id })
    void sendUploads()
  }
  announce({ type: 'changed', id })
}

export async function dismissUpload(id: string): Promise<void> {
  await uploads.change(id, dismissed)
  announce({ type: 'changed', id })
}

async function resumeAfterCredits(balance: number): Promise<void> {
  const short = store.get(uploadsAtom).filter((item) => item.state === 'credits' && item.price <= balance)
  for (const { id } of short) await uploads.change(id, retried)
  if (short.length > 0) void sendUploads()
}

const sentVisibleMs = 6000

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Unsent items in memory only would be lost with the page. */
function warnBeforeLeaving(): void {
  let release: (() => void) | undefined
  store.sub(uploadsAtom, () => {
    if (store.get(uploadsAtom).some(isMemoryOnly)) {
      release ??= markBusy()
      window.addEventListener('beforeunload', askBeforeLeaving)
    } else {
      release?.()
      release = undefined
      window.removeEventListener('beforeunload', askBeforeLeaving)
    }
  })
}

/** `followCredits` calls its listener with each new balance. */
export function startUploads(
  followCredits: (listener: (credits: number) => void) => void,
  prepare: PrepareFile = prepareFile,
): void {
  prepareFile = prepare
  if (!startChannel()) return
  warnBeforeLeaving()
  stayAwake()
  const eager = (): void => void sendUploads({ eager: true })
  window.addEventListener('online', eager)
  window.addEventListener('pageshow', eager)
  window.addEventListener('focus', eager)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && eager())
  store.sub(tokenAtom, () => {
    void readUploads()
    eager()
  })
  store.sub(onlineAtom, () => store.get(onlineAtom) && eager())
  store.sub(uploadsAtom, () => {
    const unreached = store.get(uploadsAtom).some((item) => item.state === 'waiting' && item.lastStatus === 0)
    if (store.get(onlineAtom) && unreached) checkConnection()
  })
  followCredits((credits) => void resumeAfterCredits(credits))
  store.sub(uploadsAtom, () => {
    for (const { id, state } of store.get(uploadsAtom)) {
      if (state === 'sent') setTimeout(() => void dismissUpload(id), sentVisibleMs)
    }
  })
  // A sign-out deletes the user's uploads; under another user they stay hidden until their owner
  // returns.
  onSignOut('uploads', async (reason) => {
    store.set(progressAtom, {})
    // A user who only has to sign in again finds the studio's generations by them.
    if (reason !== 'ended') store.set(resultsAtom, {})
    const owner = ownerOfUploads()
    if (reason === 'signed-out' && owner) {
      for (const { id } of store.get(uploadsAtom)) announce({ type: 'cancel', id })
      // The unresponsive device store may still hold items; waiting for it would block the
      // sign-out.
      void deleteItems(indexedDbStore, owner).catch(() => undefined)
      await deleteItems(uploads, owner)
    }
    await readUploads()
  })
  void checkFiles()
  eager()
}

/**
 * Phones soon suspend pages behind a dark screen. The browser releases the lock when the page is
 * hidden.
 */
export function stayAwake(): void {
  let held: Promise<WakeLockSentinel | undefined> | undefined
  const follow = () => {
    const sending = store.get(uploadsAtom).some(({ state }) => state === 'sending')
    if (sending && document.visibilityState === 'visible') {
      // Refused when the battery is low.
      held ??= navigator.wakeLock?.request('screen').catch(() => undefined)
    } else {
      void held?.then((lock) => lock?.release())
      held = undefined
    }
  }
  store.sub(uploadsAtom, follow)
  document.addEventListener('visibilitychange', follow)
}
