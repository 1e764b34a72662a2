import type { Readable } from 'node:stream'
import { DataStore, Upload as TusUpload } from '@tus/utils'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { imageLimits, videoLimits } from '#shared/media.ts'
import { uploadHours } from '../rules.ts'
import { admitStream } from './admit-stream.ts'
import { findUpload } from './find-upload.ts'
import { dropUploads, type FinishDeps } from './finish-upload.ts'
import { receiveParts } from './receive-parts.ts'
import { beginUpload } from './storage-allowance.ts'
import { guarded } from './stream-guard.ts'

export type UploadDeps = FinishDeps & Pick<Deps, 'config'>

const lifetimeMs = uploadHours * 3_600_000
const maxName = 255

/** The announced type sets the limit; the check finds the true type. */
function maxBytesOf(filetype: string): number {
  return filetype.startsWith('video/') ? videoLimits.bytes : imageLimits.bytes
}

export class UploadStore extends DataStore {
  readonly #deps: UploadDeps
  readonly #userId: string

  constructor(deps: UploadDeps, userId: string) {
    super()
    this.#deps = deps
    this.#userId = userId
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  override async create(upload: TusUpload): Promise<TusUpload> {
    const { clock } = this.#deps
    const userId = this.#userId
    const bytes = upload.size ?? 0
    if (bytes === 0) throw appError('upload.empty')
    if (bytes > maxBytesOf(upload.metadata?.filetype ?? '')) throw appError('upload.too_large')
    await limitRate(this.#deps, [{ rule: 'uploads:create', subject: userId, limit: 600, seconds: 600 }])
    const now = clock()
    await beginUpload(this.#deps, {
      ...{
        id: upload.id,
        userId,
        bytes,
        name: (upload.metadata?.filename ?? '').slice(0, maxName).replaceAll('\0', ''),
      },
      createdAt: now,
      expiresAt: new Date(now.getTime() + lifetimeMs),
    })
    upload.creation_date = now.toISOString()
    return upload
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await findUpload(this.#deps, this.#userId, id)
    // A complete upload is being checked, or in use, so it must not be written to any more.
    if (upload.received === upload.bytes || upload.received !== offset) throw appError('upload.conflict')
    const leave = admitStream(this.#userId)
    try {
      return await receiveParts(this.#deps, upload, guarded(stream))
    } finally {
      leave()
    }
  }

  override async getUpload(id: string): Promise<TusUpload> {
    const { bytes, received, name, createdAt } = await findUpload(this.#deps, this.#userId, id)
    return new TusUpload({
      ...{ id, size: bytes, offset: received, metadata: { filename: name } },
      creation_date: createdAt.toISOString(),
    })
  }

  override async remove(id: string): Promise<void> {
    await findUpload(this.#deps, this.#userId, id)
    await dropUploads(this.#deps, [id])
  }

  override getExpiration(): number {
    return lifetimeMs
  }
}
