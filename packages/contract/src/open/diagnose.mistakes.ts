/**
 * All mistakes that `diagnose` recognizes, with the explanation for the developer: what was done, then what is correct
 * and the section that says so. `about` is the name of the parameter concerned, if there is one.
 */
export const mistakes = {
  ampersand_between_pairs: () =>
    'The pairs were joined with "&" before hashing. Concatenate them without a separator, as in appid=Acode=B (open-api §4.1, step 3).',
  separator_between_pairs: () =>
    'The pairs were joined with a separator, such as a comma, a line break or a closing "&", before hashing. Concatenate them without separators (open-api §4.1, step 3).',
  equals_left_out: () =>
    'The names and values were joined without "=", or with another character. Render each pair as key=value (open-api §4.1, step 3).',
  secret_appended_last: () =>
    'The secret was appended at the end of the string. Add it as the pair secret=<APP_SECRET> before sorting, so that it is sorted with the other names (open-api §4.1, steps 1 and 2).',
  secret_put_first: () =>
    'The secret was put at the beginning of the string. Add it as the pair secret=<APP_SECRET> before sorting, so that it is sorted with the other names (open-api §4.1, steps 1 and 2).',
  secret_on_both_ends: () =>
    'The secret was put at both ends of the string. Add it once, as the pair secret=<APP_SECRET>, before sorting (open-api §4.1, steps 1 and 2).',
  secret_misnamed: () =>
    'The secret was added under another name, such as key or appSecret. The name of the pair is secret (open-api §4.1, step 1).',
  secret_left_out: () =>
    'The secret was left out of the string. Add the pair secret=<APP_SECRET> before sorting (open-api §4.1, step 1).',
  secret_not_set: () =>
    "The secret was empty or the text null, undefined or None, which happens when its setting is missing. Pass the app's secret to the signing code (open-api §4.1, step 1).",
  secret_white_space: () =>
    'The secret has surrounding white space, a line break, a byte order mark or quotes. Use only the characters of the secret; trim it where it is read from a file or a setting (open-api §4.1, step 1).',
  secret_case_changed: () =>
    'The secret was converted to upper case. Use it exactly as issued (open-api §4.1, step 1).',
  secret_retired: () =>
    'A previous secret of the app was used, which is no longer active. Sign with the secret of the last rotation (open-api §5.2).',
  values_url_encoded: () =>
    'The values were URL-encoded before hashing. Sign the plain values, and encode them only when sending the request (open-api §4.1, step 3).',
  raw_text_signed: () =>
    'The raw query string or body was hashed. Build the string from the plain parameters: sorted, not encoded, without separators (open-api §4.1, steps 2 and 3).',
  json_signed: () =>
    'The parameters were serialized as JSON before hashing. Render each pair as key=value, without separators (open-api §4.1, step 3).',
  json_body: () =>
    'The body is JSON. Send the parameters as application/x-www-form-urlencoded, and sign their plain values (open-api §4.1).',
  sorted_by_locale: () =>
    'The names were sorted by locale or case-insensitively. Sort them by character code, where A to Z come before a to z (open-api §4.1, step 2).',
  sorted_by_code_point: () =>
    'The names were sorted by code point or by UTF-8 byte. Sort them by UTF-16 code unit, which differs for characters beyond U+FFFF (open-api §4.1, step 2).',
  sorted_as_pairs: () =>
    'The key=value strings were sorted, so that "=" took part in the comparison. Sort by name only (open-api §4.1, step 2).',
  sorted_descending: () =>
    'The names were sorted in descending order. Sort them in ascending order (open-api §4.1, step 2).',
  not_sorted: () => 'The pairs were not sorted. Sort them by name, including the pair secret (open-api §4.1, step 2).',
  timestamp_in_seconds: () =>
    'The timestamp is in seconds. Sign and send milliseconds since 1970, 13 digits (open-api §4.1).',
  timestamp_differs: () =>
    'The signed timestamp differs from the sent one. Read the clock once and use the value in both places (open-api §4.1).',
  number_reformatted: () =>
    'A number was signed in a different format than it was sent, such as 100.0 or 1.7E12 for an integer. Sign exactly the text that is sent (open-api §4.1, step 3).',
  empty_values_dropped: () =>
    'Parameters with empty values were omitted from the string. Include every sent parameter, as in merchantId= (open-api §4.1, step 1).',
  empty_value_as_null: () =>
    'An empty value was signed as the word null, None, nil or undefined. A null value is the empty string (open-api §4.1).',
  list_in_brackets: () =>
    'A list was signed in brackets. Join its items with commas, without brackets, quotes or spaces, as it is sent (open-api §4.1).',
  list_repeated: () =>
    'A list was signed as one pair per item. Sign one pair with the items joined by commas (open-api §4.1).',
  list_separator: () =>
    'The items of a list were joined with a different separator. Join them with a comma and no space (open-api §4.1).',
  hmac_instead_of_sha256: () =>
    'The string was hashed with HMAC. Use plain SHA-256; the secret is included as the pair secret=<APP_SECRET> (open-api §4.1, step 4).',
  md5_instead_of_sha256: () =>
    'The string was hashed with MD5. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sha1_instead_of_sha256: () =>
    'The string was hashed with SHA-1. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sha512_instead_of_sha256: () =>
    'The string was hashed with SHA-512. Use SHA-256, whose hexadecimal digest has 64 characters (open-api §4.1, step 4).',
  sign_upper_case: () =>
    'The sign is in upper case. Send the hexadecimal digest in lower case (open-api §4.1, step 4).',
  sign_base64: () =>
    'The sign is the digest in base64. Send it as 64 lowercase hexadecimal characters (open-api §4.1, step 4).',
  sign_decorated: () =>
    'The sign contains white space, quotes or separators. Send only the 64 hexadecimal characters (open-api §4.1, step 4).',
  sign_malformed: () =>
    'The sign is not 64 lowercase hexadecimal characters. Send the hexadecimal digest of SHA-256 (open-api §4.1, step 4).',
  sign_signed: () => 'The string contained a pair sign. Omit sign when signing (open-api §4.1, step 1).',
  file_data_signed: () => 'The string contained a pair fileData. The file part is not signed (open-api §4.1, step 1).',
  parameter_not_signed: (about) =>
    `${about} was sent but not signed. Build the string from all parameters of the request, including the query string (open-api §4.1, step 1).`,
  parameter_not_sent: (about) =>
    `${about} was signed but not sent. Send every signed parameter, including empty ones, or omit it from both (open-api §4.1, step 1).`,
  name_spelled_differently: (about) =>
    `${about} was spelled differently when signing. Sign each name exactly as it is sent (open-api §4.1, step 3).`,
  encoded_twice: () =>
    'The request was URL-encoded twice, so that the values contain escapes. Encode each value once, when sending the request (open-api §4.1).',
  plus_not_encoded: () =>
    'A "+" was sent unencoded, which means a space in a form. Send it as %2B; form and URL libraries do this automatically (open-api §4.1).',
  ampersand_not_encoded: (about) =>
    `A "&" in the value of ${about} was sent unencoded, which ended the value there. Send it as %26; form and URL libraries do this automatically (open-api §4.1).`,
  not_utf8: () =>
    'The string was not encoded as UTF-8 but, for example, as Latin-1. Hash its UTF-8 bytes (open-api §4.1, step 4).',
  text_normalized: () =>
    'The text was signed in a different Unicode normalization form than it was sent. Sign exactly the text that is sent (open-api §4.1, step 4).',
  values_trimmed: () =>
    'Surrounding white space of a value was sent but not signed. Sign exactly the text that is sent (open-api §4.1, step 3).',
  trailing_newline: () =>
    'The hashed string ends with a line break. Hash it without; in a shell use printf, because echo adds one (open-api §4.1, step 4).',
  string_case_changed: () =>
    'The whole string was converted to lower or upper case before hashing. Hash it unchanged (open-api §4.1, step 3).',
} as const satisfies Record<string, (about: string) => string>

/** A stable identifier of a mistake. */
export type Mistake = keyof typeof mistakes
