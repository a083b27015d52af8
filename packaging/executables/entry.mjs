// The entry point of the executable; assets are in the folder of this file.
import { main } from './dist/main.mjs'

main(process.argv.slice(2), import.meta.dir).then((code) => {
  process.exitCode = code
})
