import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

export const problemLabels = {
  not_image: msg`Hanya berkas gambar yang diizinkan`,
  too_large: msg`Ukuran foto ini lebih dari 25 MB. Pilih yang lebih kecil, ya.`,
  empty: msg`Berkas ini kosong. Pilih foto lain, ya.`,
  not_readable_here: msg`Berkas ini tidak bisa dibaca dari perangkatmu. Kalau tersimpan di cloud, unduh dulu, lalu pilih lagi, ya.`,
  unreadable: msg`Foto ini rusak atau tidak bisa dibaca. Coba foto lain, ya.`,
  cut_off: msg`Foto ini terpotong: sebagian gambarnya hilang. Pilih foto lain, atau unduh ulang foto ini.`,
  too_small: msg`Foto ini terlalu kecil. Pilih yang sisinya paling sedikit 16 piksel.`,
  too_narrow: msg`Foto ini terlalu panjang dan sempit. Potong dulu, lalu pilih lagi, ya.`,
  animated: msg`Gambar bergerak belum didukung. Pilih foto biasa, ya.`,
  not_video: msg`Hanya berkas video yang diizinkan`,
  video_too_heavy: msg`Ukuran video ini lebih dari 100 MB. Pilih yang lebih kecil, ya.`,
  video_too_small: msg`Video ini terlalu kecil. Sisinya paling sedikit 64 piksel.`,
  video_unreadable: msg`Video ini rusak atau tidak dapat dibaca.`,
  video_codec: msg`Jenis video ini belum bisa dibaca. Simpan sebagai MP4 (H.264), lalu coba lagi.`,
  video_too_large: msg`Resolusi video ini terlalu besar. Paling besar 1920 × 1080.`,
  video_too_fast: msg`Video ini lebih dari 60 gambar per detik. Simpan dengan 30 atau 60, ya.`,
  video_too_long: msg`Video ini lebih dari 60 detik. Potong dulu, ya.`,
} satisfies Record<string, MessageDescriptor>
export type PictureProblem = keyof typeof problemLabels
