/** The folder is announced with the upload's row, and deleted with it. */
export const folderOf = (id: string) => `uploads/${id}/`

export const partKey = (id: string, name: string) => `uploads/${id}/${name}`

/** The checked file, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`
