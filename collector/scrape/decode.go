package scrape

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// families are what an endpoint exposes, as it was read.
type families []*dto.MetricFamily

// malformed is an answer that is no exposition.
type malformed struct{ what string }

func (m *malformed) Error() string { return m.what }

const wrongAddress = ", not with metrics: is the path of its metrics right?"

// decode reads an answer in the format that its content type says, and as text
// where it says nothing that is known.
func decode(body []byte, contentType string) (families, error) {
	media, _, _ := mime.ParseMediaType(contentType)
	head := bytes.TrimSpace(body[:min(len(body), 512)])
	switch {
	case len(head) == 0 && media != expfmt.ProtoType:
		return nil, &malformed{"it answers with nothing" + wrongAddress}
	case strings.Contains(media, "html"), bytes.HasPrefix(head, []byte("<")) && media != expfmt.ProtoType:
		return nil, &malformed{"it answers with a web page" + wrongAddress}
	case strings.Contains(media, "json"), bytes.HasPrefix(head, []byte("{")) && !bytes.HasPrefix(head, []byte(`{"`)):
		return nil, &malformed{"it answers with JSON" + wrongAddress}
	}
	format := expfmt.ResponseFormat(http.Header{"Content-Type": {contentType}})
	switch format.FormatType() {
	case expfmt.TypeProtoDelim:
		if err := framed(body); err != nil {
			return nil, err
		}
	case expfmt.TypeOpenMetrics:
		var err error
		if body, err = fromOpenMetrics(body); err != nil {
			return nil, err
		}
		format = expfmt.FmtText
	default:
		format = expfmt.FmtText
	}
	dec := expfmt.NewDecoder(bytes.NewReader(body), format.WithEscapingScheme(model.NoEscaping))
	var out families
	for {
		mf := &dto.MetricFamily{}
		switch err := dec.Decode(mf); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, &malformed{"its metrics cannot be read (" + strings.TrimPrefix(err.Error(), "text format parsing error in ") + ")"}
		}
		out = append(out, mf)
	}
}

// framed checks the lengths in front of the messages, for which the decoder
// would reserve memory before it looks.
func framed(body []byte) error {
	for len(body) > 0 {
		size, n := binary.Uvarint(body)
		if n <= 0 || size > uint64(len(body)-n) {
			return &malformed{"its metrics cannot be read (a protobuf message is cut short)"}
		}
		body = body[n+int(size):]
	}
	return nil
}
