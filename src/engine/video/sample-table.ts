/** A minute of uncompressed sound has some millions of samples, of anything else some thousands. */
const most = { alike: 10_000_000, listed: 100_000, chunks: 1_000_000 }

/** What the boxes of a track's sample table say of how many samples there are. */
export interface SampleTable {
  samples: number
  perChunk: number
  /** Each sample's own size, or its own moment, is listed: the demuxer goes through them. */
  isListed: boolean
  isInOrder: boolean
}

export const emptyTable = (): SampleTable => ({ samples: 0, perChunk: 0, isListed: false, isInOrder: true })

/**
 * Whether so many samples may be a video of a minute: a few bytes can tell of billions, and the
 * demuxer would count them one by one.
 */
export function hasFewSamples({ samples, perChunk, isListed, isInOrder }: SampleTable): boolean {
  const limit = isListed ? most.listed : most.alike
  return isInOrder && samples <= limit && perChunk <= limit
}

/** The boxes that `readTable` takes. */
export const tableBoxes = new Set(['stts', 'ctts', 'stsc', 'stsz', 'trun'])

/**
 * Adds what a box (ISO/IEC 14496-12 §8.6 to §8.8) says, without its header of size and name; what
 * is cut off counts as far as it goes.
 */
export function readTable(table: SampleTable, name: string, body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const word = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at) : 0)
  const entries = (bytes: number) => Math.min(word(4), Math.floor((view.byteLength - 8) / bytes))
  if (name === 'stts' || name === 'ctts') {
    let samples = 0
    for (let i = 0; i < entries(8); i++) samples += word(8 + 8 * i)
    table.samples = Math.max(table.samples, samples)
    table.isListed ||= name === 'ctts'
  } else if (name === 'stsz') {
    table.isListed ||= word(4) === 0
    table.samples = Math.max(table.samples, word(8))
  } else if (name === 'trun') {
    table.samples += word(4)
    table.isListed = true
  } else {
    for (let i = 0, before = 0; i < entries(12); i++) {
      const chunk = word(8 + 12 * i)
      table.isInOrder &&= chunk >= before && chunk <= most.chunks
      table.perChunk = Math.max(table.perChunk, word(12 + 12 * i))
      before = chunk
    }
  }
}
