/** Where all files of an upload lie; announced with its row, and deleted with it. */
export const folderOf = (id: string) => `uploads/${id}/`

/** Where a part of what was received lies. */
export const partKey = (id: string, name: string) => `uploads/${id}/${name}`

/** Where the checked file lies, without metadata about its owner. */
export const contentKey = (id: string) => `uploads/${id}/content`
