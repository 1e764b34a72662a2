import { validate as isUuid } from 'uuid'

/** Where the bytes of an upload grow. */
export const receivedKey = (id: string) => `uploads/${id}/received`

/** Where the checked file lies, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`

/** Every file an upload may have. */
export const storageKeys = (ids: string[]) => ids.flatMap((id) => [receivedKey(id), contentKey(id)])

/** The id of the upload that a storage key belongs to; undefined when it is another feature's. */
export function uploadOfKey(key: string): string | undefined {
  const [folder, id] = key.split('/')
  return folder === 'uploads' && isUuid(id) ? id : undefined
}
