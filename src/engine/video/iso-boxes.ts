import { windowed } from './file-window.ts'
import { emptyTable, hasFewSamples, readTable, type SampleTable, tableBoxes } from './sample-table.ts'
import type { VideoFile } from './video-file.ts'

/** The name and longest length of a box. */
const headerBytes = 16
/** Boxes that hold others, as far as frames are listed in them. */
const holders = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf'])
/** Boxes that list frames, each of which becomes an object of the demuxer. */
const indexes = new Set(['stbl', 'moof', 'sidx', 'mfra'])
/** Phones write ten tracks at most, most of them about the camera's movements. */
const maxTracks = 64
const maxBoxes = 200_000
/** A minute of pictures and sound takes some hundred kilobytes. */
const maxIndexBytes = 4 * 1024 * 1024

/**
 * Whether the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12) are as few, and its lists of
 * frames as short and of as few, as a video of a minute needs: the demuxer reads all of them before
 * it says anything. What is no box ends the search, for the demuxer to judge. Rejects as reading
 * the file does.
 */
export async function hasFewBoxes(file: VideoFile): Promise<boolean> {
  const readAt = windowed(file, headerBytes)
  let [boxes, tracks, indexBytes] = [0, 0, 0]
  const fragments = emptyTable()

  async function fewBetween(from: number, to: number, table: SampleTable): Promise<boolean> {
    for (let at = from; at + 8 <= to; ) {
      const header = await readAt(at)
      const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
      const short = view.getUint32(0)
      const long = short === 1 && header.length === headerBytes
      const length = short === 0 ? to - at : long ? Number(view.getBigUint64(8)) : short
      const name = String.fromCharCode(...header.subarray(4, 8))
      if (length < 8) return true
      if (name === 'trak') tracks++
      if (indexes.has(name)) indexBytes += Math.min(length, to - at)
      if (++boxes > maxBoxes || tracks > maxTracks || indexBytes > maxIndexBytes) return false
      const [begins, ends] = [at + (long ? 16 : 8), Math.min(to, at + length)]
      if (tableBoxes.has(name)) {
        const body = name === 'trun' ? Math.min(ends, begins + headerBytes) : ends
        if (body - begins > maxIndexBytes) return false
        readTable(table, name, await file.read(begins, body))
        if (!hasFewSamples(table)) return false
      }
      const inner = name === 'stbl' ? emptyTable() : table
      if (holders.has(name) && !(await fewBetween(begins, ends, inner))) return false
      at += length
    }
    return true
  }
  return fewBetween(0, file.size, fragments)
}
