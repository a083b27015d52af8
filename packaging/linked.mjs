// The libraries linked into Bun, with their licences: https://github.com/oven-sh/bun/blob/main/LICENSE.md

const github = (name) => `https://github.com/${name}`

/** `holders` are copyright lines that the licence requires to reproduce. */
export const linked = [
  {
    name: 'JavaScriptCore and WebKit',
    licence: 'LGPL-2.0-only',
    home: github('oven-sh/WebKit'),
  },
  {
    name: 'BoringSSL',
    licence: 'NOASSERTION',
    home: 'https://boringssl.googlesource.com/boringssl/+/refs/heads/main/LICENSE',
  },
  {
    name: 'Brotli',
    licence: 'MIT',
    home: github('google/brotli'),
    holders: ['Copyright (c) 2013-2015 by the Brotli Authors.'],
  },
  {
    name: 'libarchive',
    licence: 'NOASSERTION',
    home: github('libarchive/libarchive/blob/master/COPYING'),
  },
  {
    name: 'LOL HTML',
    licence: 'BSD-3-Clause',
    home: github('cloudflare/lol-html'),
    holders: ['Copyright (C) 2019, Cloudflare, Inc.', 'Copyright (C) 2019, Ivan Nikulin'],
  },
  {
    name: 'ls-hpack',
    licence: 'MIT',
    home: github('litespeedtech/ls-hpack'),
    holders: ['Copyright (c) 2018 LiteSpeed Technologies Inc'],
  },
  {
    name: 'ls-qpack',
    licence: 'MIT',
    home: github('litespeedtech/ls-qpack'),
    holders: ['Copyright (c) 2018 - 2021 LiteSpeed Technologies Inc'],
  },
  {
    name: 'lsquic, with parts of Chromium',
    licence: 'MIT AND BSD-3-Clause',
    home: github('litespeedtech/lsquic'),
    holders: ['Copyright (c) 2017 - 2018 LiteSpeed Technologies Inc'],
  },
  { name: 'mimalloc', licence: 'MIT', home: github('microsoft/mimalloc') },
  { name: 'picohttpparser', licence: 'MIT', home: github('h2o/picohttpparser') },
  {
    name: 'zstd',
    licence: 'BSD-3-Clause',
    home: github('facebook/zstd'),
    holders: ['Copyright (c) 2016-2022, Meta Platforms, Inc. and affiliates. All rights reserved.'],
  },
  { name: 'simdutf', licence: 'Apache-2.0', home: github('simdutf/simdutf') },
  { name: 'TinyCC', licence: 'LGPL-2.1-only', home: github('tinycc/tinycc') },
  { name: 'uSockets', licence: 'Apache-2.0', home: github('uNetworking/uSockets') },
  { name: 'uWebSockets', licence: 'Apache-2.0', home: github('jarred-sumner/uwebsockets') },
  {
    name: 'zlib-ng',
    licence: 'Zlib',
    home: github('zlib-ng/zlib-ng'),
    holders: ['(C) 1995-2025 Jean-loup Gailly and Mark Adler'],
  },
  {
    name: 'c-ares',
    licence: 'MIT',
    home: github('c-ares/c-ares'),
    holders: ['Copyright (c) 2007 - 2023, Daniel Stenberg with many contributors'],
  },
  { name: 'ICU', licence: 'Unicode-3.0', home: github('unicode-org/icu') },
  {
    name: 'base64',
    licence: 'BSD-2-Clause',
    home: github('aklomp/base64'),
    holders: [
      'Copyright (c) 2005-2007, Nick Galbreath',
      'Copyright (c) 2015-2017, Wojciech Mula',
      'Copyright (c) 2016-2017, Matthieu Darbois',
      'Copyright (c) 2013-2022, Alfred Klomp',
    ],
  },
  { name: 'libuv, on Windows', licence: 'MIT', home: github('libuv/libuv') },
  { name: 'libdeflate', licence: 'MIT', home: github('ebiggers/libdeflate') },
  {
    name: 'libjpeg-turbo',
    licence: 'BSD-3-Clause AND IJG AND Zlib',
    home: github('libjpeg-turbo/libjpeg-turbo'),
  },
  {
    name: 'libspng',
    licence: 'BSD-2-Clause',
    home: github('randy408/libspng'),
    holders: ['Copyright (c) 2018-2021, Randy <randy408@protonmail.com>'],
  },
  { name: 'libwebp', licence: 'BSD-3-Clause', home: github('webmproject/libwebp') },
  { name: 'Highway', licence: 'Apache-2.0', home: github('google/highway') },
  { name: 'uucode', licence: 'MIT', home: github('jacobsandlund/uucode') },
  {
    name: 'parts of TigerBeetle',
    licence: 'Apache-2.0',
    home: github('tigerbeetle/tigerbeetle'),
  },
  {
    name: 'a part of libc++abi',
    licence: 'Apache-2.0 WITH LLVM-exception',
    home: github('llvm/llvm-project'),
  },
  {
    name: 'packages of npm for browsers, and acorn',
    licence: 'MIT',
    home: github('oven-sh/bun/blob/main/LICENSE.md#polyfills'),
  },
]
