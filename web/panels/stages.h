// The pipeline's stages as a picture, under the field of the layout: ranks by chunks, a cell a layer.
#pragma once

namespace megamem::web {

// Space to the window's edges in CSS pixels. The first points at the layout's faulty character, if any.
void layout_fault(float left, float right);
void stages_picture(float left, float right);

}  // namespace megamem::web
