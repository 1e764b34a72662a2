/** Folder of all files of an upload; announced with its row, and deleted with it. */
export const folderOf = (id: string) => `uploads/${id}/`

/** Key of a received part. */
export const partKey = (id: string, name: string) => `uploads/${id}/${name}`

/** Key of the checked file, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`
