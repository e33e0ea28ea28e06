/**
 * Every mistake that `diagnose` can name, with what it tells the developer: what was done, then what is right and where
 * the document says so. `about` is the name of a parameter, where the mistake is about one.
 */
export const MISTAKES = {
  ampersand_between_pairs: () =>
    'The pairs were joined with "&" before hashing. Concatenate them with nothing in between, as in appid=Acode=B (open-api §4.1, step 3).',
  separator_between_pairs: () =>
    'The pairs were joined with a separator, such as a comma, a line break or a closing "&", before hashing. Concatenate them with nothing between or after them (open-api §4.1, step 3).',
  equals_left_out: () =>
    'The names and values were joined without "=", or with another character. Render each pair as key=value (open-api §4.1, step 3).',
  secret_appended_last: () =>
    'The secret was appended at the end of the string. Add it as the pair secret=<APP_SECRET> before sorting, so that it stands between the other names (open-api §4.1, steps 1 and 2).',
  secret_put_first: () =>
    'The secret was put at the beginning of the string. Add it as the pair secret=<APP_SECRET> before sorting, so that it stands between the other names (open-api §4.1, steps 1 and 2).',
  secret_on_both_ends: () =>
    'The secret was put at both ends of the string. Add it once, as the pair secret=<APP_SECRET>, before sorting (open-api §4.1, steps 1 and 2).',
  secret_misnamed: () =>
    'The secret was added under another name, such as key or appSecret. The pair is called secret (open-api §4.1, step 1).',
  secret_left_out: () =>
    'The secret was left out of the string. Add the pair secret=<APP_SECRET> before sorting (open-api §4.1, step 1).',
  secret_not_set: () =>
    "The secret was empty or the text null, undefined or None, as happens when its setting is missing. Hand the app's secret to the code that signs (open-api §4.1, step 1).",
  secret_white_space: () =>
    'The secret that was used has white space, a line break, a byte order mark or quotes around it. Use the characters of the secret alone; trim it where it is read from a file or a setting (open-api §4.1, step 1).',
  secret_case_changed: () =>
    'The secret was turned into upper-case letters. Use it exactly as it was issued (open-api §4.1, step 1).',
  secret_retired: () =>
    'A former secret of the app was used, which is no longer active. Sign with the secret that the last rotation gave (open-api §5.2).',
  values_url_encoded: () =>
    'The values were URL-encoded before hashing. Sign the plain values, and encode them only when the request is sent (open-api §4.1, step 3).',
  raw_text_signed: () =>
    'The query string or body was hashed as it is sent. Build the string from the plain parameters: sorted, not encoded, with nothing between the pairs (open-api §4.1, steps 2 and 3).',
  json_signed: () =>
    'The parameters were written as JSON before hashing. Render each pair as key=value, with nothing between the pairs (open-api §4.1, step 3).',
  json_body: () =>
    'The body is JSON. Send the parameters as application/x-www-form-urlencoded, and sign their plain values (open-api §4.1).',
  sorted_by_locale: () =>
    'The names were sorted by the rules of a locale or without regard to case. Sort them by character code, in which A to Z come before a to z (open-api §4.1, step 2).',
  sorted_by_code_point: () =>
    'The names were sorted by code point or by UTF-8 byte. Sort them by UTF-16 code unit, which differs for characters beyond U+FFFF (open-api §4.1, step 2).',
  sorted_as_pairs: () =>
    'The finished key=value texts were sorted, in which "=" counts as a character. Sort by the names alone (open-api §4.1, step 2).',
  sorted_descending: () =>
    'The names were sorted in descending order. Sort them in ascending order (open-api §4.1, step 2).',
  not_sorted: () =>
    'The pairs were left in the order of sending. Sort them by name, the pair secret among them (open-api §4.1, step 2).',
  timestamp_in_seconds: () =>
    'The timestamp is in seconds. Sign and send milliseconds since 1970, 13 digits (open-api §4.1).',
  timestamp_differs: () =>
    'The timestamp that was signed is not the one that was sent. Read the clock once, and use that value in both places (open-api §4.1).',
  number_reformatted: () =>
    'A number was signed in another form than it was sent in, such as 100.0 or 1.7E12 for an integer. Sign exactly the text that is sent (open-api §4.1, step 3).',
  empty_values_dropped: () =>
    'Parameters with empty values were left out of the string. Every parameter that is sent takes part, as in merchantId= (open-api §4.1, step 1).',
  empty_value_as_null: () =>
    'An empty value was signed as the text null, None, nil or undefined. A null value is the empty string (open-api §4.1).',
  list_in_brackets: () =>
    'A list was signed in brackets. Join its items with a comma, without brackets, quotes or spaces, as it is sent (open-api §4.1).',
  list_repeated: () =>
    'A list was signed as one pair for each of its items. It is one pair, its items joined with a comma (open-api §4.1).',
  list_separator: () =>
    'The items of a list were joined with something else than a plain comma when signing. Join them with a comma and no space (open-api §4.1).',
  hmac_instead_of_sha256: () =>
    'The string was hashed with HMAC. Use plain SHA-256; the secret takes part as the pair secret=<APP_SECRET> in the string (open-api §4.1, step 4).',
  md5_instead_of_sha256: () =>
    'The string was hashed with MD5. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sha1_instead_of_sha256: () =>
    'The string was hashed with SHA-1. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sha512_instead_of_sha256: () =>
    'The string was hashed with SHA-512. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sign_upper_case: () =>
    'The sign has upper-case letters. Send the hexadecimal digest in lower case (open-api §4.1, step 4).',
  sign_base64: () =>
    'The sign is the digest in base64. Send it as 64 lowercase hexadecimal characters (open-api §4.1, step 4).',
  sign_decorated: () =>
    'The sign has white space, quotes or separators around or inside it. Send the 64 hexadecimal characters alone (open-api §4.1, step 4).',
  sign_malformed: () =>
    'The sign is not 64 lowercase hexadecimal characters. Send the hexadecimal digest of SHA-256 (open-api §4.1, step 4).',
  sign_signed: () => 'A pair sign was part of the string. Leave sign out when signing (open-api §4.1, step 1).',
  file_data_signed: () =>
    'A pair fileData was part of the string. The file part is not signed (open-api §4.1, step 1).',
  parameter_not_signed: (about) =>
    `${about} was sent but not signed. Build the string from all the parameters of the request, those of the query string included (open-api §4.1, step 1).`,
  parameter_not_sent: (about) =>
    `${about} was signed but not sent. Send every parameter that is signed, empty ones too, or leave it out of both (open-api §4.1, step 1).`,
  name_spelled_differently: (about) =>
    `${about} was spelled differently when signing. Sign each name exactly as it is sent (open-api §4.1, step 3).`,
  encoded_twice: () =>
    'The request was URL-encoded twice, so that escapes arrived as part of the values. Encode each value once, when the request is sent (open-api §4.1).',
  plus_not_encoded: () =>
    'A "+" was sent without encoding, and "+" stands for a space in a form. Send it as %2B; a form or URL library does that by itself (open-api §4.1).',
  ampersand_not_encoded: (about) =>
    `A "&" in the value of ${about} was sent without encoding, which ended the value there. Send it as %26; a form or URL library does that by itself (open-api §4.1).`,
  not_utf8: () =>
    'The string was turned into bytes in another encoding than UTF-8, such as Latin-1. Hash its UTF-8 bytes (open-api §4.1, step 4).',
  text_normalized: () =>
    'The text was brought into another Unicode normal form for signing than for sending. Sign exactly the text that is sent (open-api §4.1, step 4).',
  values_trimmed: () =>
    'White space around a value was removed for signing but sent. Sign exactly the text that is sent (open-api §4.1, step 3).',
  trailing_newline: () =>
    'The string that was hashed ends with a line break. Hash it without one; with a shell, printf is right and echo adds one (open-api §4.1, step 4).',
  string_case_changed: () =>
    'The whole string was turned into lower-case or upper-case letters before hashing. Hash it as it is (open-api §4.1, step 3).',
} as const satisfies Record<string, (about: string) => string>

/** A stable word for one mistake. */
export type Mistake = keyof typeof MISTAKES
